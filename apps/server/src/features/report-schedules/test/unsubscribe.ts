import type { LightMyRequestResponse } from 'fastify'
import type { MailServer } from '../../../../test/mail-server.ts'
import type { World } from './world.ts'

/** What a mail program posts, and what the page does to undo it. */
export const oneClick = 'List-Unsubscribe=One-Click'
export const again = 'does=again'

/** As a mail program or a browser without a session; without a body it only looks. */
export const visit = (
  { root }: World,
  url: string,
  body?: string,
  type = 'application/x-www-form-urlencoded',
): Promise<LightMyRequestResponse> =>
  root.inject({
    ...{ url, method: body === undefined ? 'GET' : 'POST', headers: { 'content-type': type, host: 'localhost' } },
    ...(body !== undefined && { payload: body }),
  })

/** The newest mail to somebody, each header on one line. */
export const rawTo = ({ received }: MailServer, address: string | null): string =>
  received.findLast(({ to }) => to[0] === address)?.raw.replaceAll(/\r\n[ \t]+/g, ' ') ?? ''

/** The path of the link in its header. */
export const linkTo = (server: MailServer, address: string | null): string =>
  /^List-Unsubscribe: <https:\/\/console\.example\.com(\/unsubscribe\/[\w-]+)>\r$/m.exec(rawTo(server, address))?.[1] ??
  ''
