import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export type MailServer = {
  url: string
  port: number
  /** What was delivered, as it came. */
  received: { from: string; to: string[]; raw: string }[]
  stop(): Promise<void>
}

export type MailServerOptions = {
  /** 0 takes a free one. */
  port?: number
  user?: string
  password?: string
  /** Addresses that it takes no mail for. */
  refused?: readonly string[]
  /** Answered to every mail until it is taken away. */
  busy?: { code: number }
}

/** A real mail server on loopback that keeps what it gets. */
export async function startMailServer(options: MailServerOptions = {}): Promise<MailServer> {
  const { user, password, refused = [], busy } = options
  const received: MailServer['received'] = []
  const server = new SMTPServer({
    disabledCommands: user === undefined ? ['STARTTLS', 'AUTH'] : ['STARTTLS'],
    authOptional: user === undefined,
    allowInsecureAuth: true,
    closeTimeout: 100,
    onAuth({ username, password: given }, _session, callback) {
      if (username === user && given === password) callback(null, { user: username })
      else callback(new Error('Wrong password'))
    },
    onRcptTo({ address }, _session, callback) {
      if (busy?.code) callback(Object.assign(new Error('Try later'), { responseCode: busy.code }))
      else if (refused.includes(address))
        callback(Object.assign(new Error('No such mailbox here'), { responseCode: 550 }))
      else callback()
    },
    onData(stream, { envelope }, callback) {
      text(stream).then((raw) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw })
        callback()
      }, callback)
    },
  })
  server.on('error', () => {})
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const login = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password ?? '')}@`
  return {
    url: `smtp://${login}127.0.0.1:${port}`,
    port,
    received,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
