import type * as sites from '@agency/contract/descriptors/sites'
import type { SiteSettings } from '@agency/contract/types'
import type { Input } from '../../../lib/api.ts'

/** As it is typed. Address and secret of a hook are never told: empty keeps what there is. */
export type SettingsDraft = {
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
export type SettingsProblems = Partial<Record<'project' | 'hookUrl' | 'hookSecret' | 'healthPath', string>>

export function settingsDraft(settings: SiteSettings): SettingsDraft {
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
export function settingsChanges(draft: SettingsDraft, before: SettingsDraft): Omit<Body, 'version'> | null {
  const body: Omit<Body, 'version'> = {}
  if (draft.provider !== before.provider) body.provider = draft.provider === 'none' ? null : draft.provider
  const pagesDiffer = draft.project !== before.project || draft.branch.trim() !== before.branch
  if (draft.provider === 'pages' && (pagesDiffer || body.provider)) {
    body.pages = { project: draft.project, branch: draft.branch.trim() || null }
  }
  const hook = draft.provider === 'hook' ? hookChanges(draft, before) : {}
  if (Object.keys(hook).length > 0) body.hook = hook
  if (draft.healthPath.trim() !== before.healthPath) body.health_path = draft.healthPath.trim()
  return Object.keys(body).length === 0 ? null : body
}

function hookChanges(draft: SettingsDraft, before: SettingsDraft): NonNullable<Body['hook']> {
  return {
    ...(draft.hookUrl.trim() !== '' && { url: draft.hookUrl.trim() }),
    ...(draft.removesSecret && { secret: null }),
    ...(!draft.removesSecret && draft.hookSecret !== '' && { secret: draft.hookSecret }),
    ...(draft.callback !== before.callback && { callback: draft.callback }),
  }
}

/** What is missing, told when the button is pressed. */
export function settingsProblems(draft: SettingsDraft, settings: SiteSettings): SettingsProblems {
  const problems: SettingsProblems = {}
  if (draft.provider === 'pages' && draft.project === '') problems.project = 'Choose a project'
  const hasHook = settings.hook?.host != null
  if (draft.provider === 'hook' && !hasHook && draft.hookUrl.trim() === '') problems.hookUrl = 'Enter the address'
  if (draft.hookSecret !== '' && draft.hookSecret.length < 16) {
    problems.hookSecret = 'A secret has 16 characters at least'
  }
  if (!draft.healthPath.trim().startsWith('/')) problems.healthPath = 'A path begins with /'
  return problems
}

const fields: Readonly<Record<string, keyof SettingsProblems>> = {
  project: 'project',
  url: 'hookUrl',
  secret: 'hookSecret',
  health_path: 'healthPath',
}

/** The refusal of the server at the field that it names. */
export function refusedSetting(error: { message: string; parameter?: string | undefined } | null): SettingsProblems {
  const field = fields[error?.parameter?.split('.').at(-1) ?? '']
  return error && field ? { [field]: error.message } : {}
}
