import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

const refusal = (env: Record<string, string>): string => {
  try {
    loadConfig(env, false)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return 'accepted'
}

describe('loadConfig', () => {
  test('has a default for everything', () => {
    expect(loadConfig({}, false)).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: resolve('data'),
      databaseUrl: undefined,
      adminKey: undefined,
      trustProxy: false,
      stripe: { secretKey: undefined },
      logLevel: 'info',
      mode: 'demo',
    })
  })

  test('keeps the data of a console run as root in the system folder', () => {
    expect(loadConfig({}, true).dataDir).toBe('/var/lib/agency-console')
  })

  test('takes an empty or blank value for unset', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ', STRIPE_SECRET_KEY: '' }, false)).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
      mode: 'demo',
    })
  })

  test('reads the version from the package', () => {
    expect(loadConfig({}, false).version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test.each([
    [{}, 'demo'],
    [{ STRIPE_SECRET_KEY: 'sk_test_abc' }, 'test'],
    [{ STRIPE_SECRET_KEY: 'rk_test_abc' }, 'test'],
    [{ STRIPE_SECRET_KEY: 'sk_live_abc' }, 'live'],
    [{ STRIPE_SECRET_KEY: 'rk_live_abc' }, 'live'],
    [{ CLOUDFLARE_API_TOKEN: 'token' }, 'live'],
    [{ CLOUDFLARE_API_TOKEN: 'token', STRIPE_SECRET_KEY: 'sk_test_abc' }, 'test'],
  ])('%o is the mode %s', (env, mode) => {
    expect(loadConfig(env, false).mode).toBe(mode)
  })

  test.each([
    ['1', 1],
    ['10', 10],
    ['127.0.0.1, 10.0.0.0/8', ['127.0.0.1', '10.0.0.0/8']],
    ['loopback,fd00::/8', ['loopback', 'fd00::/8']],
  ])('trusts the proxies %s', (value, expected) => {
    expect(loadConfig({ TRUST_PROXY: value }, false).trustProxy).toEqual(expected)
  })

  test('drops the slash at the end of an address', () => {
    expect(loadConfig({ PUBLIC_URL: 'https://console.example.com/' }, false).publicUrl).toBe(
      'https://console.example.com',
    )
  })

  test.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['HOST', 'two words'],
    ['DATABASE_URL', 'mysql://localhost/agency'],
    ['DATABASE_URL', 'postgres://localhost'],
    ['ADMIN_KEY', 'x'.repeat(23)],
    ['ADMIN_KEY', `${'x'.repeat(24)} y`],
    ['PUBLIC_URL', 'console.example.com'],
    ['PUBLIC_URL', 'https://console.example.com/console'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '11'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['STRIPE_SECRET_KEY', 'pk_test_abc'],
    ['STRIPE_WEBHOOK_SECRET', 'secret'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_new, secret'],
    ['STRIPE_API_BASE', 'api.stripe.com'],
    ['CLOUDFLARE_API_TOKEN', 'two words'],
    ['CLOUDFLARE_ACCOUNT_ID', '123'],
    ['CLOUDFLARE_API_BASE', 'ftp://api.cloudflare.com'],
    ['SMTP_URL', 'mail.example.com'],
    ['MAIL_FROM', 'console'],
    ['SECRETS_KEY', 'short'],
    ['LOG_LEVEL', 'loud'],
    ['S3_ENDPOINT', 's3.example.com'],
    ['S3_BUCKET', 'My Bucket'],
    ['S3_REGION', 'Frankfurt!'],
    ['S3_ACCESS_KEY_ID', 'two words'],
    ['S3_SECRET_ACCESS_KEY', 'two words'],
  ])('refuses %s=%s by name, in one line', (name, value) => {
    const message = refusal({ [name]: value })
    expect(message).toMatch(new RegExp(`^${name} must be `))
    expect(message).not.toContain('\n')
  })

  test('takes a store for backups whole or not at all', () => {
    const whole = {
      ...{ S3_ENDPOINT: 'https://s3.example.com/', S3_BUCKET: 'backups', S3_ACCESS_KEY_ID: 'id' },
      S3_SECRET_ACCESS_KEY: 'secret',
    }
    expect(loadConfig(whole, false).s3).toEqual({
      ...{ endpoint: 'https://s3.example.com', bucket: 'backups', region: 'us-east-1', accessKeyId: 'id' },
      secretAccessKey: 'secret',
    })
    expect(loadConfig({}, false).s3).toBeUndefined()
    for (const name of Object.keys(whole))
      expect(refusal({ ...whole, [name]: '' })).toBe(`${name} must be set when another S3 variable is`)
  })

  test('never repeats a secret that it refuses', () => {
    expect(refusal({ STRIPE_SECRET_KEY: 'pk_live_51secret' })).not.toContain('51secret')
  })

  test('names every wrong variable', () => {
    expect(refusal({ PORT: 'x', LOG_LEVEL: 'loud' })).toMatch(/^PORT must be .*; LOG_LEVEL must be /)
  })

  test('wants a sender as soon as there is a mail server', () => {
    expect(refusal({ SMTP_URL: 'smtp://mail.example.com' })).toMatch(/^MAIL_FROM must be set when SMTP_URL is/)
  })
})
