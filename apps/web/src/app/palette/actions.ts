import * as adminUsers from '@agency/contract/descriptors/admin-users'
import * as apiKeys from '@agency/contract/descriptors/api-keys'
import * as audit from '@agency/contract/descriptors/audit'
import * as customers from '@agency/contract/descriptors/customers'
import * as mirror from '@agency/contract/descriptors/mirror'
import * as notifications from '@agency/contract/descriptors/notifications'
import * as purchases from '@agency/contract/descriptors/purchases'
import * as security from '@agency/contract/descriptors/security'
import type { Permission } from '@agency/contract/types'
import { call, type Endpoint } from '../../lib/api.ts'
import { paths } from '../../lib/paths.ts'
import { ApiError } from '../../lib/problems.ts'
import { denialOf, signOut } from '../../lib/session.ts'
import { startExport } from '../../lib/start-export.ts'
import { themes } from '../../lib/theme-choice.ts'
import { changeTheme, themeLabels } from '../theme-words.ts'
import type { Item } from './items.ts'
import { best } from './rank.ts'
import type { Tools } from './tools.ts'

type PaletteAction = {
  id: string
  title: string
  /** Other words for it. */
  words: string
  /** The call that it makes, or leads to. */
  endpoint?: Endpoint
  run: (tools: Tools) => unknown
}

const actions: readonly PaletteAction[] = [
  {
    id: 'add-customer',
    title: 'Add Customer',
    words: 'new create client',
    endpoint: customers.createCustomer,
    run: ({ open }) => open('add-customer'),
  },
  {
    id: 'export-customers',
    title: 'Export customers',
    words: 'all download csv file',
    endpoint: customers.listCustomers,
    run: (tools) => exportAll(tools, 'customers', ['customer', 'customers']),
  },
  {
    id: 'open-exports',
    title: 'Open exports',
    words: 'files downloads csv xlsx pdf',
    run: ({ navigate }) => navigate(paths.exports),
  },
  {
    id: 'add-user',
    title: 'Add Admin User',
    words: 'new create invite person people administrator',
    endpoint: adminUsers.createUser,
    run: ({ open }) => open('add-user'),
  },
  {
    id: 'add-role',
    title: 'Add Role',
    words: 'new create permissions',
    endpoint: adminUsers.createRole,
    run: ({ open }) => open('add-role'),
  },
  {
    id: 'generate-key',
    title: 'Generate API Key',
    words: 'new create add token',
    endpoint: apiKeys.createApiKey,
    run: ({ open }) => open('generate-key'),
  },
  {
    id: 'read-purchases',
    title: 'Mark all purchases read',
    words: 'unread seen recent',
    endpoint: purchases.markPurchasesRead,
    run: (tools) => change(tools, purchases.markPurchasesRead, 'All purchases marked read'),
  },
  {
    id: 'read-notifications',
    title: 'Mark all notifications read',
    words: 'unread seen bell',
    run: (tools) => change(tools, notifications.markNotificationsRead, 'All notifications marked read'),
  },
  {
    id: 'compare-stripe',
    title: 'Compare with Stripe',
    words: 'reconcile sync refresh mirror check',
    endpoint: mirror.startReconcile,
    run: (tools) => change(tools, mirror.startReconcile, 'Comparing with Stripe'),
  },
  {
    id: 'export-audit',
    title: 'Export audit log',
    words: 'all download csv file entries',
    endpoint: audit.listAudit,
    run: (tools) => exportAll(tools, 'audit', ['audit entry', 'audit entries']),
  },
  {
    id: 'verify-audit',
    title: 'Verify audit log',
    words: 'check chain entries',
    endpoint: audit.verifyAudit,
    run: verifyAudit,
  },
  {
    id: 'run-security-checks',
    title: 'Run security checks',
    words: 'score findings',
    endpoint: security.runSecurityChecks,
    run: runSecurityChecks,
  },
  ...themes.map((theme) => ({
    id: `theme-${theme}`,
    title: themeLabels[theme],
    words: 'appearance colors mode night day',
    run: ({ toast }: Tools) => changeTheme(theme, toast),
  })),
  {
    id: 'open-profile',
    title: 'Open my profile',
    words: 'account me password',
    run: ({ navigate }) => navigate(paths.profile),
  },
  { id: 'sign-out', title: 'Sign out', words: 'logout log leave end session', run: () => signOut('signed_out') },
]

/** The actions that somebody may do and that fit, all of them for an empty term. */
export function actionItems(term: string, held: readonly Permission[]): Item[] {
  const allowed = actions.filter(({ endpoint }) => !denialOf(endpoint?.permission ?? 'any', held))
  return best(allowed, term).map(({ id, title, run, place }) => {
    const key = `action:${id}`
    return { key, title, run, place, recent: { key } }
  })
}

const causeOf = (error: unknown) => (error instanceof ApiError ? error : undefined)

async function exportAll({ toast, signal }: Tools, kind: 'customers' | 'audit', unit: [string, string]) {
  toast.info(`Exporting all ${unit[1]}. The download starts when the file is ready.`)
  await startExport({ kind, format: 'csv', parameters: {} }, unit, toast, signal)
}

type Change =
  | typeof purchases.markPurchasesRead
  | typeof notifications.markNotificationsRead
  | typeof mirror.startReconcile

/** What it changed is read again by the screens once the server tells of it. */
async function change({ toast }: Tools, endpoint: Change, done: string): Promise<void> {
  try {
    await call<Change>(endpoint, {})
    toast.success(done)
  } catch (error) {
    toast.error('Nothing was changed.', causeOf(error))
  }
}

async function verifyAudit({ toast, client, navigate }: Tools): Promise<void> {
  navigate(paths.audit)
  try {
    await call(audit.verifyAudit, {})
    await client.invalidateQueries({ queryKey: [audit.getAuditChain.path] })
  } catch (error) {
    toast.error('The check did not start.', causeOf(error))
  }
}

async function runSecurityChecks({ toast, client, navigate }: Tools): Promise<void> {
  navigate(paths.security)
  try {
    await call(security.runSecurityChecks, {})
    await client.invalidateQueries({ queryKey: [security.getSecurityChecks.path] })
  } catch (error) {
    toast.error('The checks did not run. The last results are kept.', causeOf(error))
  }
}
