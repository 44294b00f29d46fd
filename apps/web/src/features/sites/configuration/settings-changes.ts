import type * as sites from '@agency/contract/descriptors/sites'
import type { SiteSettings } from '@agency/contract/types'
import type { Input } from '../../../lib/api.ts'
import type { Problems } from '../../../lib/form/use-edit-form.ts'

/** As they are typed. Address and secret of a hook are never told: empty keeps what there is. */
export type SettingsFields = {
  provider: 'none' | 'pages' | 'hook'
  project: string
  branch: string
  hookUrl: string
  hookSecret: string
  removesSecret: boolean
  callback: boolean
  healthPath: string
}

type Body = NonNullable<Input<typeof sites.updateSiteSettings>['body']>

export function settingsFields(settings: SiteSettings): SettingsFields {
  return {
    provider: settings.provider ?? 'none',
    project: settings.pages?.project ?? '',
    branch: settings.pages?.branch ?? '',
    hookUrl: '',
    hookSecret: '',
    removesSecret: false,
    callback: settings.hook?.callback ?? false,
    healthPath: settings.health_path,
  }
}

/** What differs, as the server takes it; null when nothing does. */
export function settingsChanges(fields: SettingsFields, before: SettingsFields): Omit<Body, 'version'> | null {
  const body: Omit<Body, 'version'> = {}
  if (fields.provider !== before.provider) body.provider = fields.provider === 'none' ? null : fields.provider
  const pagesDiffer = fields.project !== before.project || fields.branch.trim() !== before.branch
  if (fields.provider === 'pages' && (pagesDiffer || body.provider)) {
    body.pages = { project: fields.project, branch: fields.branch.trim() || null }
  }
  const hook = fields.provider === 'hook' ? hookChanges(fields, before) : {}
  if (Object.keys(hook).length > 0) body.hook = hook
  if (fields.healthPath.trim() !== before.healthPath) body.health_path = fields.healthPath.trim()
  return Object.keys(body).length === 0 ? null : body
}

function hookChanges(fields: SettingsFields, before: SettingsFields): NonNullable<Body['hook']> {
  return {
    ...(fields.hookUrl.trim() !== '' && { url: fields.hookUrl.trim() }),
    ...(fields.removesSecret && { secret: null }),
    ...(!fields.removesSecret && fields.hookSecret !== '' && { secret: fields.hookSecret }),
    ...(fields.callback !== before.callback && { callback: fields.callback }),
  }
}

/** What is missing, told when the button is pressed. */
export function settingsProblems(fields: SettingsFields, settings: SiteSettings): Problems<SettingsFields> {
  const problems: Problems<SettingsFields> = {}
  if (fields.provider === 'pages' && fields.project === '') problems.project = 'Choose a project'
  const hasHook = settings.hook?.host != null
  if (fields.provider === 'hook' && !hasHook && fields.hookUrl.trim() === '') problems.hookUrl = 'Enter the address'
  if (fields.hookSecret !== '' && fields.hookSecret.length < 16) {
    problems.hookSecret = 'A secret has 16 characters at least'
  }
  if (!fields.healthPath.trim().startsWith('/')) problems.healthPath = 'A path begins with /'
  return problems
}

/** The server names the part of its setting. */
export const settingNames = { url: 'hookUrl', secret: 'hookSecret', health_path: 'healthPath' } as const
