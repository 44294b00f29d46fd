import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { count, idParams, instant, pageQuery } from './primitives.ts'

export const settingGroups = ['company', 'sessions', 'audit', 'retention', 'mail', 'stripe', 'cloudflare'] as const
export const settingGroup = z.enum(settingGroups)
export type SettingGroup = z.output<typeof settingGroup>

export const settingValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), z.null()])
export type SettingValue = z.output<typeof settingValue>

export const setting = z.object({
  /** `<group>.<name>` */
  key: z.string(),
  group: settingGroup,
  label: z.string(),
  hint: z.string(),
  kind: z.enum(['text', 'number', 'choice', 'emails', 'secret', 'switch']),
  choices: z.array(z.object({ value: z.string(), label: z.string() })).nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  unit: z.string().nullable(),
  source: z.enum(['default', 'environment', 'database']),
  /** The variable that sets it. While the source is `environment`: the one that decided, and it cannot be changed here. */
  env: z.string().nullable(),
  /** Never a secret: of that only whether there is one. */
  value: settingValue,
  is_set: z.boolean(),
  default_value: settingValue,
  version: count,
  updated_at: instant.nullable(),
  updated_by: z.string().nullable(),
  /** Why what was set is not in force, such as a secret that was sealed with another SECRETS_KEY. */
  problem: z.string().optional(),
})
export type Setting = z.output<typeof setting>

const settingsAnswer = z.object({ settings: z.array(setting), public_url_known: z.boolean() })

export const listSettings = endpoint({
  method: 'GET',
  path: '/admin/settings',
  permission: 'admin.system',
  summary: 'Every setting with its value, source and bounds',
  response: settingsAnswer,
  topics: ['settings'],
})

export const changeSettings = endpoint({
  method: 'PATCH',
  path: '/admin/settings',
  permission: 'admin.system',
  summary: 'Change settings, all of them or none; null restores the default',
  body: z.strictObject({
    changes: z.record(z.string().max(80), settingValue),
    /** The versions that the change was made on; a newer one is a conflict. */
    versions: z.record(z.string().max(80), count).optional(),
  }),
  response: settingsAnswer,
})

export const settingVersion = z.object({
  version: count,
  /** Of a secret only that it was set or removed. */
  value: settingValue,
  is_secret: z.boolean(),
  is_set: z.boolean(),
  at: instant,
  actor_name: z.string(),
})

export const getSettingHistory = endpoint({
  method: 'GET',
  path: '/admin/settings/:id/history',
  permission: 'admin.system',
  summary: 'What a setting was before, newest first',
  params: idParams,
  response: z.object({ versions: z.array(settingVersion) }),
  topics: ['settings'],
})

export const revertSetting = endpoint({
  method: 'POST',
  path: '/admin/settings/:id/revert',
  permission: 'admin.system',
  summary: 'Set what an earlier version said',
  params: idParams,
  body: z.strictObject({ version: count }),
  response: settingsAnswer,
})

export const connectionTest = z.object({
  integration: z.enum(['stripe', 'cloudflare', 'smtp']),
  state: z.enum(['not_configured', 'connected', 'lacking', 'unreachable']),
  /** `connected as …`, `reachable but lacking …`, `unreachable: reason` */
  message: z.string(),
  account: z.string().nullable(),
  lacking: z.array(z.string()),
  tested_at: instant,
})
export type ConnectionTest = z.output<typeof connectionTest>

export const testConnection = endpoint({
  method: 'POST',
  path: '/admin/settings/test',
  permission: 'admin.system',
  summary: 'Try Stripe, Cloudflare or the mail server with values that are not saved; changes nothing',
  body: z.strictObject({
    integration: z.enum(['stripe', 'cloudflare', 'smtp']),
    /** By setting; what is left out is taken as it is now. */
    values: z.record(z.string().max(80), settingValue).default({}),
    /** Of a mail server: also send a mail to this address. */
    send_to: z.email().max(254).nullish(),
  }),
  response: connectionTest,
})

/** What every administrator's screens need, without a permission. */
export const getPublicSettings = endpoint({
  method: 'GET',
  path: '/settings',
  permission: 'any',
  summary: 'Company name, time zone and currency',
  response: z.object({ company_name: z.string(), time_zone: z.string().nullable(), currency: z.string().nullable() }),
  topics: ['settings'],
})

export const mail = z.object({
  id: z.string(),
  kind: z.string(),
  to: z.string(),
  subject: z.string(),
  state: z.enum(['queued', 'sent', 'kept', 'failed']),
  created_at: instant,
  sent_at: instant.nullable(),
  attempts: count,
  error: z.string().nullable(),
})
export type Mail = z.output<typeof mail>

export const listMails = endpoint({
  method: 'GET',
  path: '/admin/mails',
  permission: 'admin.system',
  summary: 'Mails that the console wrote, newest first',
  query: z.strictObject({ ...pageQuery(25), state: z.enum(['all', 'queued', 'sent', 'kept', 'failed']).optional() }),
  response: z.object({ mails: z.array(mail), has_more: z.boolean(), waiting: count }),
  topics: ['mails'],
})

export const getMail = endpoint({
  method: 'GET',
  path: '/admin/mails/:id',
  permission: 'admin.system',
  summary: 'One mail with its text; reading it is written to the audit log',
  params: idParams,
  response: z.object({ mail, text: z.string() }),
})

export const sendMailAgain = endpoint({
  method: 'POST',
  path: '/admin/mails/:id/send',
  permission: 'admin.system',
  summary: 'Send a mail that failed, or was kept while there was no mail server',
  params: idParams,
  body: z.strictObject({}).nullish(),
  response: z.object({ mail }),
})
