/** A part of a mail as its reader sees it. */
type MailPart = { type: string; fileName: string | null; bytes: Buffer }

const headerOf = (head: string, name: string): string =>
  new RegExp(`^${name}:\\s*((?:.*)(?:\\r?\\n[ \\t].*)*)`, 'im').exec(head)?.[1]?.replaceAll(/\r?\n\s+/g, ' ') ?? ''

function decode(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  if (encoding !== 'quoted-printable') return Buffer.from(body)
  const bytes = body
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1')
}

/** Every part of a mail that has no parts of its own. */
export function partsOf(raw: string): MailPart[] {
  const split = /\r?\n\r?\n/.exec(raw)
  const head = raw.slice(0, split?.index ?? raw.length)
  const body = raw.slice((split?.index ?? raw.length) + (split?.[0].length ?? 0))
  const type = headerOf(head, 'Content-Type')
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  if (boundary !== undefined)
    return body
      .split(`--${boundary}`)
      .slice(1, -1)
      .flatMap((part) => partsOf(part.replace(/^\r?\n/, '')))
  const fileName = /filename="?([^";]+)"?/i.exec(headerOf(head, 'Content-Disposition'))?.[1] ?? null
  const encoding = headerOf(head, 'Content-Transfer-Encoding').trim().toLowerCase()
  return [{ type: (type.split(';')[0] ?? '').trim(), fileName, bytes: decode(body, encoding) }]
}

/** Of a mail whose subject is ASCII. */
export const subjectOf = (raw: string): string => headerOf(raw.split(/\r?\n\r?\n/)[0] ?? '', 'Subject').trim()

/** The text or the page of a mail. */
export const bodyOf = (raw: string, type: 'text/plain' | 'text/html'): string =>
  partsOf(raw)
    .find((part) => part.type === type)
    ?.bytes.toString('utf8')
    .replaceAll('\r\n', '\n') ?? ''
