import { lookup } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import type { Transporter } from 'nodemailer'
import { openSocket } from '../../platform/probe/connect.ts'
import { isPublicAddress } from '../../platform/probe/public-address.ts'

export type OutgoingMail = {
  /** The same for every try, so that a receiver can tell that it is one mail. */
  id: string
  to: { address: string; name: string | null }
  subject: string
  text: string
  /** The same as a page. */
  html?: string | undefined
  attachments?: { filename: string; contentType: string; content: Buffer }[]
  /** Where a receiver ends mails of this kind. */
  unsubscribeUrl?: string | undefined
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

export type MailServer = {
  url: string
  from: string
  timeoutMs?: number
  /** Somebody sees at once what comes of it: at an address of the own network a failure then takes the whole time. */
  isAnswerShown?: boolean
}

const longestReason = 300
const defaultTimeoutMs = 20_000

/** Whoever may set a mail server must not learn from it which ports are open inside, so all failures there are one. */
const silence = 'no mail server answers at this address of your own network; the log of the console has the cause'

/** Connects and signs in, and sends nothing. */
export const verifyMailServer = (server: MailServer): Promise<void> =>
  withTransport(server, async (transport) => {
    await transport.verify()
  })

export const sendMail = (
  server: MailServer,
  { id, to, subject, text, html, attachments = [], unsubscribeUrl }: OutgoingMail,
): Promise<void> =>
  withTransport(server, async (transport) => {
    await transport.sendMail({
      from: server.from,
      to: { address: to.address, name: to.name ?? '' },
      subject,
      text,
      ...(html !== undefined && { html }),
      attachments,
      messageId: `<${id}@${domainOf(server.from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated', ...listHeaders(unsubscribeUrl) },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  })

/** Mail programs press a link by themselves only where it is https (RFC 8058, 3.1). */
function listHeaders(url: string | undefined): Record<string, string> {
  if (url === undefined) return {}
  const isPressed = url.startsWith('https://')
  return {
    'List-Unsubscribe': `<${url}>`,
    ...(isPressed && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
  }
}

const domainOf = (from: string): string => from.replace(/^.*@/, '').replace(/>.*$/, '')

/** Who signs in where. */
export function describeMailServer(url: string): string {
  const { hostname, port, username } = new URL(url)
  const host = port === '' ? hostname : `${hostname}:${port}`
  return username === '' ? host : `${decodeURIComponent(username)} at ${host}`
}

type Place = { host: string; addresses: string[]; port: number; isPublic: boolean }

async function locate({ url }: MailServer): Promise<Place> {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await addressesOf(host)
  return {
    host,
    addresses,
    port: port === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(port),
    isPublic: addresses.every(isPublicAddress),
  }
}

async function addressesOf(name: string): Promise<string[]> {
  try {
    return (await lookup(name, { all: true, order: 'ipv4first' })).map(({ address }) => address)
  } catch (error) {
    throw new SmtpError(`No DNS entry for ${name}`, false, error)
  }
}

async function withTransport(server: MailServer, work: (transport: Transporter) => Promise<void>): Promise<void> {
  const place = await locate(server)
  const deadline = AbortSignal.timeout(server.timeoutMs ?? defaultTimeoutMs)
  try {
    await talk(server, place, deadline, work)
  } catch (error) {
    if (place.isPublic || isOfMailServer(error)) throw toSmtpError(error)
    if (server.isAnswerShown) await reached(deadline)
    throw new SmtpError(silence, false, error)
  }
}

/** A conversation that somebody waits for fits in the time, so that its length tells nothing of the own network. */
async function talk(
  server: MailServer,
  place: Place,
  deadline: AbortSignal,
  work: (transport: Transporter) => Promise<void>,
): Promise<void> {
  const socket = await openSocket(place, deadline)
  const transport = await openTransport(server, place, socket)
  try {
    const done = work(transport)
    if (place.isPublic || !server.isAnswerShown) return await done
    done.catch(() => {})
    const late = reached(deadline).then(() => {
      throw new Error('The time is over')
    })
    late.catch(() => {})
    await Promise.race([done, late])
  } finally {
    transport.close()
    socket.destroy()
  }
}

const reached = (deadline: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (deadline.aborted) return resolve()
    deadline.addEventListener('abort', () => resolve(), { once: true })
  })

/** It has greeted as a mail server does, and refuses who signs in, or the mail. */
const isOfMailServer = (error: unknown): boolean =>
  ['EAUTH', 'EENVELOPE', 'EMESSAGE'].includes(String((error as { code?: unknown }).code))

/** Of the address only what says where and who; its other parts could switch on anything that the library knows. */
async function openTransport({ url, timeoutMs = defaultTimeoutMs }: MailServer, place: Place, connection: Socket) {
  // Most consoles send seldom; what it needs is loaded then.
  const { createTransport } = await import('nodemailer')
  const { protocol, username, password, searchParams } = new URL(url)
  const trustsAnybody = searchParams.get('tls.rejectUnauthorized') === 'false'
  return createTransport({
    host: place.host,
    port: place.port,
    connection,
    secure: protocol === 'smtps:',
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
