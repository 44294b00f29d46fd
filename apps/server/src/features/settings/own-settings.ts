import { z } from 'zod'
import { defaultSettings as defaults } from '../../config.ts'
import { numberSetting, ownSetting, type SettingDefinition, textRule } from './definition.ts'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))
const maxRecipients = 20

const currency = z
  .string()
  .toLowerCase()
  .refine((code) => currencies.has(code), { error: 'must be a currency of three letters, such as usd' })

const recipients = z
  .array(z.email({ error: 'must be mail addresses' }).max(254).toLowerCase(), { error: 'must be mail addresses' })
  .max(maxRecipients, `must be at most ${maxRecipients} addresses`)
  .transform((addresses) => [...new Set(addresses)])

const segmentSetting = (
  key: string,
  name: 'segmentEnterprise' | 'segmentProfessional' | 'segmentStarter' | 'segmentFreeTrial',
  hint: string,
): SettingDefinition =>
  ownSetting(key, {
    ...{ name, hint: `${hint}. Shown in reports.`, kind: 'text', defaultValue: defaults[name] },
    label: `Segment "${defaults[name]}"`,
    rule: textRule(
      z
        .string()
        .max(40, 'must have at most 40 characters')
        .regex(/^[^\p{Cc}]+$/u, 'must be one line'),
    ),
  })

const rate = textRule(
  z.string().regex(/^\d{1,7}(\.\d{1,4})?$/, 'must be an amount such as 4.50, with four decimals at most'),
)

const rateSetting = (
  key: string,
  name: 'hostingSiteMonth' | 'hostingTrafficGb' | 'hostingStorageGbMonth' | 'hostingBuildMinute',
  label: string,
): SettingDefinition =>
  ownSetting(key, {
    ...{ name, label, kind: 'text', rule: rate, defaultValue: defaults[name] },
    hint: 'In the currency above, such as 4.50. Used for margins in reports.',
  })

/** What only the console knows: no variable sets it. */
export const ownSettings: readonly SettingDefinition[] = [
  ownSetting('company.name', {
    name: 'companyName',
    label: 'Company name',
    hint: 'Shown in emails.',
    kind: 'text',
    rule: textRule(
      z
        .string()
        .max(80, 'must have at most 80 characters')
        .regex(/^[^\p{Cc}]+$/u, 'must be one line'),
    ),
    defaultValue: defaults.companyName,
  }),
  ownSetting('company.color', {
    name: 'companyColor',
    label: 'Company color',
    hint: 'Color of report emails, such as #1565c0.',
    kind: 'text',
    rule: textRule(
      z
        .string()
        .toLowerCase()
        .regex(/^#[0-9a-f]{6}$/, 'must be a color such as #1565c0'),
    ),
    defaultValue: defaults.companyColor,
  }),
  ownSetting('company.time_zone', {
    name: 'timeZone',
    label: 'Time zone',
    hint: "Time zone for dates; empty = each viewer's own.",
    kind: 'choice',
    choices: zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    rule: textRule(z.string().refine((zone) => zones.includes(zone), { error: 'must be one of the choices' })),
    defaultValue: defaults.timeZone,
  }),
  ownSetting('company.currency', {
    name: 'currency',
    label: 'Currency',
    hint: 'Three letters, such as usd; empty = default of the Stripe account.',
    kind: 'text',
    rule: textRule(currency),
    defaultValue: defaults.currency,
  }),
  segmentSetting('company.segment_enterprise', 'segmentEnterprise', 'Plans of tier enterprise'),
  segmentSetting('company.segment_professional', 'segmentProfessional', 'Plans of tier professional'),
  segmentSetting('company.segment_starter', 'segmentStarter', 'All other paid plans'),
  segmentSetting('company.segment_free_trial', 'segmentFreeTrial', 'Customers on trial, whatever their plan'),
  rateSetting('company.hosting_site_month', 'hostingSiteMonth', 'Hosting cost per site and month'),
  rateSetting('company.hosting_traffic_gb', 'hostingTrafficGb', 'Hosting cost per GB of traffic'),
  rateSetting('company.hosting_storage_gb_month', 'hostingStorageGbMonth', 'Hosting cost per GB of storage and month'),
  rateSetting('company.hosting_build_minute', 'hostingBuildMinute', 'Hosting cost per build minute'),
  numberSetting('sessions.idle_minutes', {
    name: 'idleMinutes',
    label: 'Sign out when inactive for',
    hint: 'Shorter limits also apply to current sessions.',
    min: 5,
    max: 30,
    unit: 'minutes',
    defaultValue: defaults.idleMinutes,
  }),
  numberSetting('sessions.hidden_hours', {
    name: 'hiddenHours',
    label: 'Sign out when all tabs are hidden for',
    hint: 'Starts when the last tab is hidden.',
    min: 1,
    max: 4,
    unit: 'hours',
    defaultValue: defaults.hiddenHours,
  }),
  numberSetting('sessions.total_hours', {
    name: 'sessionHours',
    label: 'Sign out after at most',
    hint: 'Even when active. Longer limits apply from the next sign-in.',
    min: 1,
    max: 12,
    unit: 'hours',
    defaultValue: defaults.sessionHours,
  }),
  ownSetting('audit.head_recipients', {
    name: 'headRecipients',
    label: 'Email the audit head to',
    hint: 'Once a day. Proves later that the audit log was not altered.',
    kind: 'emails',
    rule: recipients,
    defaultValue: defaults.headRecipients,
  }),
  ownSetting('audit.head_webhook', {
    name: 'headWebhook',
    label: 'Send the audit head to',
    hint: 'A webhook, such as https://log.example.com/heads. Receives JSON once a day.',
    kind: 'text',
    rule: textRule(z.url({ protocol: /^https$/, error: 'must be an https address' })),
    defaultValue: defaults.headWebhook,
  }),
  numberSetting('retention.mail_days', {
    name: 'mailDays',
    label: 'Keep emails for',
    hint: 'Older emails are deleted from the outbox.',
    min: 7,
    max: 365,
    unit: 'days',
    defaultValue: defaults.mailDays,
  }),
  numberSetting('retention.event_days', {
    name: 'eventDays',
    label: 'Keep Stripe events for',
    hint: 'Only the events are deleted, not their changes.',
    min: 7,
    max: 90,
    unit: 'days',
    defaultValue: defaults.eventDays,
  }),
  numberSetting('retention.sign_in_days', {
    name: 'signInDays',
    label: 'Keep sign-ins for',
    hint: 'Sign-in attempts and ended sessions. The audit log is never deleted.',
    min: 30,
    max: 365,
    unit: 'days',
    defaultValue: defaults.signInDays,
  }),
]
