import type { TLSSocket } from 'node:tls'

export type Certificate = {
  subject: string
  issuer: string
  names: string[]
  validFrom: Date
  validTo: Date
  isTrusted: boolean
  /** Why not, in words. */
  problem: string | null
}

const problems: Record<string, string> = {
  CERT_HAS_EXPIRED: 'Expired',
  CERT_NOT_YET_VALID: 'Not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Issued for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'Signed by an untrusted authority',
  UNABLE_TO_GET_ISSUER_CERT: 'Incomplete chain',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Signed by an untrusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Incomplete chain',
  CERT_REVOKED: 'Revoked',
}

/** `O=Name` of a certificate's lines, else `CN=Name`. */
function nameIn(lines: string): string {
  const part = (key: string) =>
    lines
      .split('\n')
      .find((line) => line.startsWith(`${key}=`))
      ?.slice(key.length + 1)
  return part('O') ?? part('CN') ?? lines.replaceAll('\n', ', ')
}

const commonName = (lines: string) =>
  lines
    .split('\n')
    .find((line) => line.startsWith('CN='))
    ?.slice(3) ?? lines.replaceAll('\n', ', ')

function namesIn(alternatives: string | undefined): string[] {
  return (alternatives ?? '').split(', ').flatMap((entry) => {
    const [kind, name] = entry.split(/:(.*)/s)
    return (kind === 'DNS' || kind === 'IP Address') && name ? [name] : []
  })
}

/** What the other side of a connection showed; null when it showed nothing. */
export function certificateOf(socket: TLSSocket): Certificate | null {
  const shown = socket.getPeerX509Certificate()
  if (!shown) return null
  const code = socket.authorized ? null : codeOf(socket.authorizationError)
  return {
    subject: commonName(shown.subject ?? ''),
    issuer: nameIn(shown.issuer ?? ''),
    names: namesIn(shown.subjectAltName),
    validFrom: new Date(shown.validFrom),
    validTo: new Date(shown.validTo),
    isTrusted: socket.authorized,
    problem: code === null ? null : (problems[code] ?? `Not trusted (${code})`),
  }
}

/** A text by its type, an error where the name does not fit. */
function codeOf(error: unknown): string {
  if (error instanceof Error) return (error as NodeJS.ErrnoException).code ?? error.message
  return String(error)
}
