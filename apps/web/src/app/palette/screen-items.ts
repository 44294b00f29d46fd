import type { Permission } from '@agency/contract/descriptors'
import { paths } from '../../lib/paths.ts'
import { isGroup, navigation } from '../navigation.ts'
import { denialOf, type Item } from './items.ts'
import { best } from './rank.ts'

/** What the screens need that not everybody may open. */
export const screenPermissions: Readonly<Record<string, Permission>> = {
  [paths.customers]: 'customers.read',
  [paths.impersonation]: 'customers.read',
  [paths.sites]: 'sites.read',
  [paths.domains]: 'sites.read',
  [paths.deployments]: 'sites.read',
  [paths.subscriptions]: 'billing.read',
  [paths.payments]: 'billing.read',
  [paths.purchases]: 'billing.read',
  [paths.purchaseReset]: 'billing.read',
  [paths.users]: 'admin.users',
  [paths.apiKeys]: 'admin.system',
  [paths.config]: 'admin.system',
  [paths.audit]: 'admin.system',
  [paths.security]: 'admin.system',
}

const screens = navigation.flatMap((entry) =>
  isGroup(entry)
    ? entry.items.map(({ label, path }) => ({ title: label, words: entry.label, path }))
    : [{ title: entry.label, words: '', path: entry.path }],
)

/** The screens of the navigation that fit, all of them for an empty term. */
export function screenItems(term: string, held: readonly Permission[]): Item[] {
  const shown = term === '' ? screens : best(screens, term)
  return shown.map(({ title, words, path }) => {
    const key = `screen:${path}`
    const denial = denialOf(screenPermissions[path], held)
    return { key, title, detail: words || undefined, href: path, denial, recent: { key } }
  })
}
