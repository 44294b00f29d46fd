import { accessSync, constants } from 'node:fs'
import { DatabaseError } from 'pg'
import { DatabaseStartError } from './errors.ts'

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const
type Mode = (typeof modes)[number]

const isMode = (value: string): value is Mode => modes.some((mode) => mode === value)

/**
 * The addresses to try, in this order, so that `sslmode` and `sslrootcert` mean what they mean to psql; the driver by itself
 * takes every mode for verify-full. Which of them leads to the server is found out once, at the start.
 */
export function addressesOf(connectionString: string): string[] {
  const url = new URL(connectionString)
  const { searchParams } = url
  // The driver's own parameter, older than its sslmode.
  if (searchParams.has('ssl')) return [connectionString]
  const file = searchParams.get('sslrootcert') || undefined
  const mode = modeOf(searchParams, file)
  if (file === 'system') searchParams.delete('sslrootcert')
  else if (file !== undefined) checkReadable(file)
  if (mode === 'disable' || isSocket(url)) return [plain(url)]
  const encrypted = withMode(url, mode.startsWith('verify-') ? mode : 'require')
  if (mode === 'prefer') return [encrypted, plain(url)]
  if (mode === 'allow') return [plain(url), encrypted]
  return [encrypted]
}

function modeOf(searchParams: URLSearchParams, file: string | undefined): Mode {
  const given = searchParams.get('sslmode')
  const mode = given || (file === 'system' ? 'verify-full' : 'prefer')
  if (!isMode(mode)) throw new DatabaseStartError(`sslmode of DATABASE_URL must be one of ${modes.join(', ')}`)
  if (file === 'system' && mode !== 'verify-full')
    throw new DatabaseStartError('sslrootcert=system of DATABASE_URL needs sslmode=verify-full')
  if (mode === 'verify-ca' && file === undefined)
    throw new DatabaseStartError(
      'sslmode=verify-ca of DATABASE_URL needs sslrootcert, the file of the authority that signed for the server',
    )
  return mode
}

function checkReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK)
  } catch {
    throw new DatabaseStartError(`sslrootcert of DATABASE_URL, ${file}, cannot be read`)
  }
}

const isSocket = ({ searchParams, hostname }: URL): boolean =>
  (searchParams.get('host') ?? decodeURIComponent(hostname)).startsWith('/')

const plain = (url: URL): string => withMode(url, 'disable')

function withMode(url: URL, mode: Mode): string {
  const chosen = new URL(url)
  chosen.searchParams.set('sslmode', mode)
  if (mode !== 'disable') chosen.searchParams.set('uselibpqcompat', 'true')
  return chosen.href
}

const unsupported = 'The server does not support SSL connections'

/** The two ends did not agree on a connection; asking again in the same way changes nothing. */
export function isTlsRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  return error.message === unsupported || /^(ERR_TLS|ERR_SSL|EPROTO)|CERT|CRL|SIGNATURE/.test(code)
}

/** The server may accept the same user the other way: encrypted or not. */
export function isWorthTheOtherWay(error: unknown): boolean {
  return isTlsRefusal(error) || (error instanceof DatabaseError && error.code === '28000')
}
