import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type MailCatcher = {
  url: string
  received: { to: string; raw: string }[]
  /** Answers this to every recipient from now on; null: takes all mails again. */
  refuse(answer: string | null): void
  stop(): Promise<void>
}

/** As much of a mail server as takes a mail and keeps it. */
export async function startMailCatcher(): Promise<MailCatcher> {
  const received: MailCatcher['received'] = []
  let refusal: string | null = null
  const server = createServer((socket) =>
    serve(
      socket,
      (mail) => received.push(mail),
      () => refusal,
    ),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    refuse(answer) {
      refusal = answer
    },
    async stop() {
      server.close()
      await once(server, 'close')
    },
  }
}

const answers: Record<string, string> = { EHLO: '250 ready', HELO: '250 ready', DATA: '354 go on', QUIT: '221 bye' }

type Keep = (mail: { to: string; raw: string }) => void

function serve(socket: Socket, keep: Keep, refusalOf: () => string | null): void {
  let rest = ''
  let to = ''
  let raw: string[] | undefined
  const say = (line: string) => socket.write(`${line}\r\n`)

  function take(line: string): void {
    if (raw) {
      if (line !== '.') return void raw.push(line)
      keep({ to, raw: raw.join('\n') })
      raw = undefined
      return void say('250 kept')
    }
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'RCPT') to = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (verb === 'DATA') raw = []
    say((verb === 'RCPT' && refusalOf()) || (answers[verb] ?? '250 ok'))
    if (verb === 'QUIT') socket.end()
  }

  socket.on('error', () => {})
  socket.on('data', (data) => {
    const lines = `${rest}${data.toString('utf8')}`.split('\r\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
  say('220 catcher')
}
