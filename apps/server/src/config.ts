import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

export type Mode = 'demo' | 'test' | 'live'

/** What an administrator may set in the console; these are the values until somebody does. */
export interface Settings {
  companyName: string
  /** `#1565c0`: of the mails that carry the name. */
  companyColor: string
  /** IANA name; null: that of whoever looks. */
  timeZone: string | null
  /** ISO 4217, lower case; null: the default of the Stripe account. */
  currency: string | null
  /** What hosting costs, in the currency: decimals as text, null where nobody has said. */
  hostingSiteMonth: string | null
  hostingTrafficGb: string | null
  hostingStorageGbMonth: string | null
  hostingBuildMinute: string | null
  /** What reports call the customers of a plan; which plan belongs where says the `tier` of its product. */
  segmentEnterprise: string
  segmentProfessional: string
  segmentStarter: string
  segmentFreeTrial: string
  idleMinutes: number
  hiddenHours: number
  sessionHours: number
  /** Where one head of the audit log goes every day. */
  headRecipients: string[]
  headWebhook: string | null
  mailDays: number
  eventDays: number
  signInDays: number
}

export const defaultSettings: Readonly<Settings> = {
  companyName: 'Agency Console',
  companyColor: '#1565c0',
  timeZone: null,
  currency: null,
  hostingSiteMonth: null,
  hostingTrafficGb: null,
  hostingStorageGbMonth: null,
  hostingBuildMinute: null,
  segmentEnterprise: 'Enterprise',
  segmentProfessional: 'Professional',
  segmentStarter: 'Starter',
  segmentFreeTrial: 'Free Trial',
  idleMinutes: 30,
  hiddenHours: 4,
  sessionHours: 12,
  headRecipients: [],
  headWebhook: null,
  mailDays: 90,
  eventDays: 30,
  signInDays: 90,
}

export interface S3Config {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

export interface Config {
  port: number
  host: string
  dataDir: string
  databaseUrl: string | undefined
  adminKey: string | undefined
  publicUrl: string | undefined
  trustProxy: false | number | string[]
  stripe: { secretKey: string | undefined; webhookSecret: string | undefined; apiBase: string | undefined }
  cloudflare: { apiToken: string | undefined; accountId: string | undefined; apiBase: string | undefined }
  smtpUrl: string | undefined
  mailFrom: string | undefined
  secretsKey: string | undefined
  /** Where backups go besides the data folder. */
  s3: S3Config | undefined
  /** Called every minute, so that somebody else notices when the console is dead. */
  heartbeatUrl: string | undefined
  /** Where traces go, as OTLP over HTTP; without one nothing of them exists. */
  otlpEndpoint: string | undefined
  /** Asked about every domain, instead of the server of each top-level domain. */
  rdapUrl: string | undefined
  logLevel: (typeof logLevels)[number]
  version: string
  mode: Mode
  /** The process that starts a fallen console again, and how often it did. */
  keeper: { pid: number | undefined; falls: number }
  settings: Readonly<Settings>
}

export class ConfigError extends Error {
  override name = 'ConfigError'
}

const projectDir = fileURLToPath(new URL('../../../', import.meta.url))
const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const proxyNames = ['loopback', 'linklocal', 'uniquelocal']

const rule = (mustBe: string, holds: (value: string) => boolean) => z.string().refine(holds, { error: mustBe })
const matching = (mustBe: string, pattern: RegExp) => rule(mustBe, (value) => pattern.test(value))
const address = (mustBe: string, protocols: string[], holds: (url: URL) => boolean = () => true) =>
  rule(mustBe, (value) => {
    const url = URL.parse(value)
    return url !== null && protocols.includes(url.protocol) && holds(url)
  }).transform((value) => value.replace(/\/+$/, ''))

function isProxyAddress(entry: string): boolean {
  if (proxyNames.includes(entry)) return true
  const [ip = '', bits, ...rest] = entry.split('/')
  const version = isIP(ip)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

const trustProxy = rule(
  'must be the number of proxies in front (1 to 10) or their addresses, separated by commas',
  (value) => /^([1-9]|10)$/.test(value) || value.split(',').every((entry) => isProxyAddress(entry.trim())),
).transform((value) => (/^\d+$/.test(value) ? Number(value) : value.split(',').map((entry) => entry.trim())))

const printable = /^[\x21-\x7e]+$/
const http = ['http:', 'https:']
const isOrigin = (url: URL) => url.pathname === '/' && !url.search && !url.hash && !url.username

/** What a value has to be, by the name of its variable. */
export const rules = {
  PORT: matching('must be a port number from 0 to 65535', /^\d{1,5}$/)
    .transform(Number)
    .refine((port) => port <= 65535, { error: 'must be a port number from 0 to 65535' }),
  HOST: matching('must be an address or host name to listen on, such as 127.0.0.1', /^[\w.:%-]+$/),
  DATA_DIR: rule('must be the path of a folder', (value) => !value.includes('\0')),
  DATABASE_URL: address(
    'must be a PostgreSQL address, such as postgres://user:password@host:5432/agency',
    ['postgres:', 'postgresql:'],
    (url) => url.pathname.length > 1,
  ),
  // psql's own variables, for what DATABASE_URL leaves out.
  PGSSLMODE: rule('must be a mode such as require or verify-full', (value) => /^[a-z-]+$/.test(value)),
  PGSSLROOTCERT: rule('must be the path of a file', (value) => !value.includes('\0')),
  ADMIN_KEY: rule(
    'must be at least 24 characters (at most 256), printable and without spaces',
    (value) => value.length >= 24 && value.length <= 256 && printable.test(value),
  ),
  PUBLIC_URL: address('must be an address without a path, such as https://console.example.com', http, isOrigin),
  TRUST_PROXY: trustProxy,
  STRIPE_SECRET_KEY: matching(
    'must be a key that starts with sk_test_, rk_test_, sk_live_ or rk_live_',
    /^(sk|rk)_(test|live)_\w+$/,
  ),
  STRIPE_WEBHOOK_SECRET: rule(
    'must be a signing secret that starts with whsec_ (or several, separated by commas)',
    (value) => value.split(',').every((secret) => /^whsec_[\x21-\x7e]+$/.test(secret.trim())),
  ),
  STRIPE_API_BASE: address('must be an address without a path, such as https://api.stripe.com', http, isOrigin),
  CLOUDFLARE_API_TOKEN: matching('must be an API token, printable and without spaces', printable),
  CLOUDFLARE_ACCOUNT_ID: matching('must be an account id of 32 hexadecimal digits', /^[0-9a-f]{32}$/i),
  CLOUDFLARE_API_BASE: address('must be an address, such as https://api.cloudflare.com/client/v4', http),
  SMTP_URL: address('must be a mail server address, such as smtps://user:password@mail.example.com', [
    'smtp:',
    'smtps:',
  ]),
  MAIL_FROM: matching(
    'must be a mail address, such as Agency Console <console@example.com>',
    /^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
  ),
  SECRETS_KEY: rule('must be at least 32 characters', (value) => value.length >= 32),
  S3_ENDPOINT: address(
    'must be the address of an S3-compatible store, such as https://s3.eu-central-1.amazonaws.com',
    http,
  ),
  S3_BUCKET: matching('must be the name of a bucket, such as console-backups', /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/),
  S3_REGION: matching('must be a region, such as eu-central-1', /^[a-z0-9-]+$/),
  S3_ACCESS_KEY_ID: matching('must be an access key id, printable and without spaces', printable),
  S3_SECRET_ACCESS_KEY: matching('must be a secret access key, printable and without spaces', printable),
  HEARTBEAT_URL: address('must be an address, such as https://uptime.example.com/ping/abc', http),
  OTEL_EXPORTER_OTLP_ENDPOINT: address('must be the address of a collector, such as http://collector:4318', http),
  RDAP_URL: address('must be an address, such as https://rdap.example.com', http),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }),
  // Set by scripts/console.sh alone.
  CONSOLE_KEEPER: matching('must be a process id', /^\d+$/).transform(Number),
  CONSOLE_FALLS: matching('must be a number', /^\d+$/).transform(Number),
}

export const mailFromExample = 'such as Agency Console <console@example.com>'

const s3Names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

const schema = z
  .object(rules)
  .partial()
  .refine((env) => env.SMTP_URL === undefined || env.MAIL_FROM !== undefined, {
    path: ['MAIL_FROM'],
    error: `must be set when SMTP_URL is, ${mailFromExample}`,
  })
  .superRefine((env, issues) => {
    if (s3Names.every((name) => env[name] === undefined)) return
    for (const name of s3Names)
      if (env[name] === undefined)
        issues.addIssue({ code: 'custom', path: [name], message: 'must be set when another S3 variable is' })
  })

/** The only place that reads the environment. Throws a ConfigError of one line that never repeats the value. */
export function loadConfig(
  env: Record<string, string | undefined> = process.env,
  isRoot = process.getuid?.() === 0,
): Config {
  const given = Object.fromEntries(
    Object.keys(rules).flatMap((name) => {
      const value = env[name]?.trim()
      return value ? [[name, value]] : []
    }),
  )
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new ConfigError(describe(parsed.error))
  const values = parsed.data
  return {
    port: values.PORT ?? 3000,
    host: values.HOST ?? '127.0.0.1',
    dataDir: values.DATA_DIR === undefined ? defaultDataDir(isRoot) : resolve(values.DATA_DIR),
    databaseUrl: withTls(values.DATABASE_URL, { sslmode: values.PGSSLMODE, sslrootcert: values.PGSSLROOTCERT }),
    adminKey: values.ADMIN_KEY,
    publicUrl: values.PUBLIC_URL,
    trustProxy: values.TRUST_PROXY ?? false,
    stripe: {
      secretKey: values.STRIPE_SECRET_KEY,
      webhookSecret: values.STRIPE_WEBHOOK_SECRET,
      apiBase: values.STRIPE_API_BASE,
    },
    cloudflare: {
      apiToken: values.CLOUDFLARE_API_TOKEN,
      accountId: values.CLOUDFLARE_ACCOUNT_ID,
      apiBase: values.CLOUDFLARE_API_BASE,
    },
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    secretsKey: values.SECRETS_KEY,
    s3: s3Of(values),
    heartbeatUrl: values.HEARTBEAT_URL,
    otlpEndpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
    rdapUrl: values.RDAP_URL,
    logLevel: values.LOG_LEVEL ?? 'info',
    version: readVersion(),
    mode: decideMode(values.STRIPE_SECRET_KEY, values.CLOUDFLARE_API_TOKEN),
    keeper: { pid: values.CONSOLE_KEEPER, falls: values.CONSOLE_FALLS ?? 0 },
    settings: defaultSettings,
  }
}

function s3Of(values: z.output<typeof schema>): S3Config | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region = 'us-east-1' } = values
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (endpoint === undefined || bucket === undefined) return undefined
  return { endpoint, bucket, region, accessKeyId: accessKeyId ?? '', secretAccessKey: secretAccessKey ?? '' }
}

function withTls(address: string | undefined, defaults: Record<string, string | undefined>): string | undefined {
  if (address === undefined) return undefined
  const url = new URL(address)
  for (const [name, value] of Object.entries(defaults)) {
    if (value !== undefined && !url.searchParams.has(name)) url.searchParams.set(name, value)
  }
  return url.href === new URL(address).href ? address : url.href
}

/** Stripe's key says test or live. Cloudflare has no test mode: with its token alone, what is shown and changed is real. */
export function decideMode(stripeKey: string | undefined, cloudflareToken: string | undefined): Mode {
  if (stripeKey) return stripeKey.includes('_test_') ? 'test' : 'live'
  return cloudflareToken ? 'live' : 'demo'
}

function defaultDataDir(isRoot: boolean): string {
  return isRoot ? '/var/lib/agency-console' : resolve(projectDir, 'data')
}

function describe(error: z.ZodError): string {
  const lines = error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)
  return [...new Set(lines)].join('; ')
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(resolve(projectDir, 'package.json'), 'utf8'))
  return z.object({ version: z.string() }).parse(manifest).version
}
