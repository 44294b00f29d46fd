import type { Transporter } from 'nodemailer'

export type OutgoingMail = {
  /** The same for every try, so that a receiver can tell that it is one mail. */
  id: string
  to: { address: string; name: string | null }
  subject: string
  text: string
}

/** What a mail server refused, or why there was none. The message is for people. */
export class SmtpError extends Error {
  override name = 'SmtpError'
  /** The server will not take this mail, however often it is tried. */
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean, cause: unknown) {
    super(message, { cause })
    this.isFinal = isFinal
  }
}

export type MailServer = { url: string; from: string; timeoutMs?: number }

const longestReason = 300

/** Connects and signs in, and sends nothing. */
export const verifyMailServer = (server: MailServer): Promise<void> =>
  withTransport(server, async (transport) => {
    await transport.verify()
  })

export const sendMail = (server: MailServer, { id, to, subject, text }: OutgoingMail): Promise<void> =>
  withTransport(server, async (transport) => {
    await transport.sendMail({
      from: server.from,
      to: { address: to.address, name: to.name ?? '' },
      subject,
      text,
      messageId: `<${id}@${domainOf(server.from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  })

const domainOf = (from: string): string => from.replace(/^.*@/, '').replace(/>.*$/, '')

/** Who signs in where. */
export function describeMailServer(url: string): string {
  const { hostname, port, username } = new URL(url)
  const host = port === '' ? hostname : `${hostname}:${port}`
  return username === '' ? host : `${decodeURIComponent(username)} at ${host}`
}

async function withTransport(server: MailServer, work: (transport: Transporter) => Promise<void>): Promise<void> {
  const transport = await openTransport(server)
  try {
    await work(transport)
  } catch (error) {
    throw toSmtpError(error)
  } finally {
    transport.close()
  }
}

/** Of the address only what says where and who; its other parts could switch on anything that the library knows. */
async function openTransport({ url, timeoutMs = 20_000 }: MailServer): Promise<Transporter> {
  // Most consoles send seldom; what it needs is loaded then.
  const { createTransport } = await import('nodemailer')
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const trustsAnybody = searchParams.get('tls.rejectUnauthorized') === 'false'
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    secure: protocol === 'smtps:',
    ...(port !== '' && { port: Number(port) }),
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...(trustsAnybody && { tls: { rejectUnauthorized: false } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  })
}

function toSmtpError(error: unknown): SmtpError {
  const { message, permanent, code } = error as Error & { permanent?: boolean; code?: string }
  // A wrong password is of the settings, which may be right again by the next try.
  const isFinal = permanent === true && code !== 'EAUTH'
  return new SmtpError(message.replaceAll(/\s+/g, ' ').trim().slice(0, longestReason), isFinal, error)
}
