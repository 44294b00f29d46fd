import type { SettingValue } from '@agency/contract/settings'
import { describe, expect, test } from 'vitest'
import { defaultSettings, loadConfig } from '../../config.ts'
import { effectiveConfig } from './effective.ts'
import { registry } from './registry.ts'

const effective = (env: Record<string, string>, stored: Record<string, SettingValue>) =>
  effectiveConfig(loadConfig(env, false), new Map(Object.entries(stored)))

describe('what is in force', () => {
  test('is the default where nothing is set', () => {
    expect(effective({}, {})).toEqual(loadConfig({}, false))
  })

  test('is what was set', () => {
    const config = effective(
      {},
      {
        'company.name': 'Harbor & Pine',
        'company.time_zone': 'Europe/Berlin',
        'sessions.idle_minutes': 10,
        'audit.head_recipients': ['ops@example.com'],
        'mail.smtp_url': 'smtp://mail.example.com',
        'mail.from': 'console@example.com',
        'stripe.secret_key': 'sk_test_stored',
      },
    )
    expect(config).toMatchObject({
      smtpUrl: 'smtp://mail.example.com',
      mailFrom: 'console@example.com',
      stripe: { secretKey: 'sk_test_stored', apiBase: undefined },
      mode: 'test',
    })
    expect(config.settings).toEqual({
      ...defaultSettings,
      companyName: 'Harbor & Pine',
      timeZone: 'Europe/Berlin',
      idleMinutes: 10,
      headRecipients: ['ops@example.com'],
    })
  })

  test('is the environment where it says something', () => {
    const config = effective(
      { STRIPE_SECRET_KEY: 'sk_test_env', PUBLIC_URL: 'https://env.example.com' },
      { 'stripe.secret_key': 'sk_live_stored', 'mail.public_url': 'https://stored.example.com' },
    )
    expect(config).toMatchObject({
      stripe: { secretKey: 'sk_test_env' },
      publicUrl: 'https://env.example.com',
      mode: 'test',
    })
  })

  test("never sends the environment's key to an address that was set in the console", () => {
    const stored = { 'stripe.api_base': 'https://evil.example.com', 'cloudflare.api_base': 'https://evil.example.com' }
    const config = effective({ STRIPE_SECRET_KEY: 'sk_test_env', CLOUDFLARE_API_TOKEN: 'token' }, stored)
    expect(config.stripe.apiBase).toBeUndefined()
    expect(config.cloudflare.apiBase).toBeUndefined()
  })

  test('has no mail server without a sender', () => {
    expect(effective({}, { 'mail.smtp_url': 'smtp://mail.example.com' }).smtpUrl).toBeUndefined()
  })

  test('leaves out what is no setting, and what is not valid any more', () => {
    expect(effective({}, { 'company.motto': 'Ahoy', 'sessions.idle_minutes': 500 })).toEqual(loadConfig({}, false))
  })

  test.each([
    [{}, {}, 'demo'],
    [{}, { 'stripe.secret_key': 'rk_live_1' }, 'live'],
    [{}, { 'cloudflare.api_token': 'token' }, 'live'],
    [{ STRIPE_SECRET_KEY: 'sk_test_1' }, { 'cloudflare.api_token': 'token' }, 'test'],
  ])('%o with %o is the mode %s', (env, stored, mode) => {
    expect(effective(env as Record<string, string>, stored as Record<string, SettingValue>).mode).toBe(mode)
  })

  test('does not change what it was made of', () => {
    const environment = loadConfig({}, false)
    effectiveConfig(environment, new Map([['company.name', 'Other']]))
    expect(environment).toEqual(loadConfig({}, false))
  })
})

describe('the rule of', () => {
  const ruleOf = (key: string) => registry.find((definition) => definition.key === key)!.rule

  test.each<[string, SettingValue, SettingValue]>([
    ['company.name', '  Harbor & Pine ', 'Harbor & Pine'],
    ['company.color', '#1565C0', '#1565c0'],
    ['company.time_zone', 'UTC', 'UTC'],
    ['company.currency', 'EUR', 'eur'],
    ['sessions.idle_minutes', 5, 5],
    ['sessions.total_hours', 12, 12],
    ['audit.head_recipients', ['Ops@Example.com', 'ops@example.com'], ['ops@example.com']],
    ['audit.head_recipients', [], []],
    ['mail.public_url', 'https://console.example.com/', 'https://console.example.com'],
    ['stripe.webhook_secret', 'whsec_a, whsec_b', 'whsec_a, whsec_b'],
  ])('%s takes %j', (key, value, kept) => {
    expect(ruleOf(key).parse(value)).toEqual(kept)
  })

  test.each<[string, SettingValue, string]>([
    ['company.name', '', 'must not be empty'],
    ['company.name', 'two\nlines', 'must be one line'],
    ['company.name', 'x'.repeat(81), 'at most 80'],
    ...['red', '#fff', '#gggggg'].map((value): [string, SettingValue, string] => [
      ...(['company.color', value, 'must be a color'] as const),
    ]),
    ['company.time_zone', 'Europe/Atlantis', 'one of the choices'],
    ['company.currency', 'dollars', 'three letters'],
    ['sessions.idle_minutes', 31, 'from 5 to 30'],
    ['sessions.idle_minutes', 4, 'from 5 to 30'],
    ['sessions.idle_minutes', 10.5, 'from 5 to 30'],
    ['sessions.idle_minutes', '10', 'from 5 to 30'],
    ['sessions.hidden_hours', 5, 'from 1 to 4'],
    ['retention.event_days', 6, 'from 7 to 90'],
    ['retention.sign_in_days', 29, 'from 30 to 365'],
    ['audit.head_recipients', ['nobody'], 'mail addresses'],
    ['audit.head_recipients', 'ops@example.com', 'mail addresses'],
    ['audit.head_recipients', Array.from({ length: 21 }, (_, index) => `a${index}@example.com`), 'at most 20'],
    ['mail.from', 'Console\r\nBcc: x@example.com', 'must be a mail address'],
    ['mail.smtp_url', 'http://mail.example.com', 'must be a mail server address'],
    ['mail.public_url', 'https://console.example.com/path', 'without a path'],
    ['stripe.secret_key', 'pk_test_1', 'must be a key that starts with'],
    ['stripe.api_base', 'file:///etc/passwd', 'without a path'],
    ['cloudflare.account_id', 'xyz', '32 hexadecimal digits'],
    ['stripe.secret_key', true, 'must be text'],
  ])('%s refuses %j', (key, value, words) => {
    const parsed = ruleOf(key).safeParse(value)
    expect(parsed.error?.issues[0]?.message).toContain(words)
    // A message that repeats a value could show a secret.
    expect(parsed.error?.issues[0]?.message).not.toContain(typeof value === 'string' && value !== '' ? value : '\0')
  })
})
