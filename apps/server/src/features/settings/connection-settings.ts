import { rules } from '../../config.ts'
import { environmentSetting, type SettingDefinition } from './definition.ts'

/** What leads to others: each may come from a variable, which then wins. */
export const connectionSettings: readonly SettingDefinition[] = [
  environmentSetting('mail.smtp_url', {
    label: 'Mail server',
    hint: 'Such as smtps://user:password@mail.example.com. Without a mail server, no email is sent.',
    env: 'SMTP_URL',
    kind: 'secret',
    rule: rules.SMTP_URL,
    read: (config) => config.smtpUrl,
    put(config, value) {
      config.smtpUrl = value
    },
  }),
  environmentSetting('mail.from', {
    label: 'Sender',
    hint: 'Such as Agency Console <console@example.com>.',
    env: 'MAIL_FROM',
    kind: 'text',
    rule: rules.MAIL_FROM,
    read: (config) => config.mailFrom,
    put(config, value) {
      config.mailFrom = value
    },
  }),
  environmentSetting('mail.public_url', {
    label: 'Address of this console',
    hint: 'For links in emails and for webhooks, such as https://console.example.com.',
    env: 'PUBLIC_URL',
    kind: 'text',
    rule: rules.PUBLIC_URL,
    read: (config) => config.publicUrl,
    put(config, value) {
      config.publicUrl = value
    },
  }),
  environmentSetting('stripe.secret_key', {
    label: 'Secret key',
    hint: 'A secret or restricted key. The key of another account starts a new import.',
    env: 'STRIPE_SECRET_KEY',
    kind: 'secret',
    rule: rules.STRIPE_SECRET_KEY,
    read: (config) => config.stripe.secretKey,
    put(config, value) {
      config.stripe.secretKey = value
    },
  }),
  environmentSetting('stripe.webhook_secret', {
    label: 'Webhook signing secret',
    hint: 'Only for your own endpoint. Leave empty for automatic setup.',
    env: 'STRIPE_WEBHOOK_SECRET',
    kind: 'secret',
    rule: rules.STRIPE_WEBHOOK_SECRET,
    read: (config) => config.stripe.webhookSecret,
    put(config, value) {
      config.stripe.webhookSecret = value
    },
  }),
  environmentSetting('stripe.api_base', {
    label: 'API address',
    hint: 'Only for a Stripe test server. Set together with the secret key.',
    env: 'STRIPE_API_BASE',
    kind: 'text',
    sends: 'stripe.secret_key',
    rule: rules.STRIPE_API_BASE,
    read: (config) => config.stripe.apiBase,
    put(config, value) {
      config.stripe.apiBase = value
    },
  }),
  environmentSetting('cloudflare.api_token', {
    label: 'API token',
    hint: 'Needs Zone:Read plus the features you use.',
    env: 'CLOUDFLARE_API_TOKEN',
    kind: 'secret',
    rule: rules.CLOUDFLARE_API_TOKEN,
    read: (config) => config.cloudflare.apiToken,
    put(config, value) {
      config.cloudflare.apiToken = value
    },
  }),
  environmentSetting('cloudflare.account_id', {
    label: 'Account id',
    hint: '32 hexadecimal digits. Needed for account tokens.',
    env: 'CLOUDFLARE_ACCOUNT_ID',
    kind: 'text',
    rule: rules.CLOUDFLARE_ACCOUNT_ID,
    read: (config) => config.cloudflare.accountId,
    put(config, value) {
      config.cloudflare.accountId = value
    },
  }),
  environmentSetting('cloudflare.api_base', {
    label: 'API address',
    hint: 'Only for a Cloudflare test server. Set together with the token.',
    env: 'CLOUDFLARE_API_BASE',
    kind: 'text',
    sends: 'cloudflare.api_token',
    rule: rules.CLOUDFLARE_API_BASE,
    read: (config) => config.cloudflare.apiBase,
    put(config, value) {
      config.cloudflare.apiBase = value
    },
  }),
]
