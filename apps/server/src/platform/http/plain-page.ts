import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext, RequestContext } from '../../context.ts'
import { type Html, html, pageOf, policyOf } from '../html.ts'
import { anonymous } from './mount.ts'
import { createRequestLimit, windowMs } from './request-limit.ts'

export type PageContent = {
  status: number
  title: string
  /** The company, above the title. */
  company: string
  paragraphs: readonly string[]
  /** What is done when it is pressed. Without one there is nothing to do. `does`: which of two things, for `act`. */
  button?: string
  does?: string
  link?: { href: string; text: string }
}

/** A page of its own for whoever holds a secret link: it needs neither a session nor a script. */
export type PlainPage = {
  /** Its path, with the secret of the link as its one parameter. */
  path: `/${string}/:token`
  /** Looking changes nothing: mail scanners follow links. */
  show(ctx: RequestContext, token: string): Promise<PageContent>
  /** `does`: of the button that was pressed; undefined where it says nothing, or a mail program pressed. */
  act(ctx: RequestContext, token: string, does: string | undefined): Promise<PageContent>
}

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;background:#fff;color:#1b1f24}
body{max-width:34rem;margin:12vh auto;padding:0 1.25rem}
h1{font-size:1.375rem;line-height:1.3;margin:.25rem 0 1rem;overflow-wrap:anywhere}
p{margin:0 0 1rem;overflow-wrap:anywhere;white-space:pre-wrap}
.company{margin:0;opacity:.75}
button{font:inherit;padding:.625rem 1.25rem;border:0;border-radius:6px;background:#1565c0;color:#fff;cursor:pointer}
a{color:#1565c0}
@media (prefers-color-scheme:dark){:root{background:#111418;color:#e7eaee}a{color:#90caf9}}
button:focus-visible,a:focus-visible{outline:3px solid #90caf9;outline-offset:2px}`

const headers = {
  'content-security-policy': policyOf(style, 'self'),
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
}

const buttonOf = (text: string, does: string | undefined): Html =>
  does === undefined ? html`<button>${text}</button>` : html`<button name="does" value="${does}">${text}</button>`

function htmlOf({ title, company, paragraphs, button, does, link }: PageContent): string {
  const texts = paragraphs.filter((text) => text !== '').map((text) => html`<p dir="auto">${text}</p>`)
  const form = button === undefined ? null : html`<form method="post"><p>${buttonOf(button, does)}</p></form>`
  const way = link === undefined ? null : html`<p><a href="${link.href}">${link.text}</a></p>`
  const body = html`<main><p class="company">${company}</p><h1>${title}</h1>${texts}${form}${way}</main>`
  return pageOf({ title, styles: style, body })
}

/** The same for a link that is no page of its own, such as that of a file. */
export const sendPlainPage = (reply: FastifyReply, content: PageContent): FastifyReply =>
  reply.headers(headers).code(content.status).send(htmlOf(content))

/** Anybody may ask, so each address may ask so often. */
const perMinute = 30

type Asked = FastifyRequest<{ Params: { token: string } }>

/** Whatever else is sent along is not read. */
const doesOf = ({ body }: Asked): string | undefined =>
  typeof body === 'string' ? (new URLSearchParams(body).get('does') ?? undefined) : undefined

export function servePlainPage(app: FastifyInstance, ctx: AppContext, page: PlainPage): void {
  const mayAsk = createRequestLimit(ctx.clock, perMinute)

  async function answer(request: Asked, reply: FastifyReply, make: PlainPage['act']): Promise<FastifyReply> {
    reply.headers(headers)
    if (!mayAsk(request.ip)) {
      const company = ctx.config.settings.companyName
      reply.header('retry-after', windowMs / 1000)
      return reply
        .code(429)
        .send(htmlOf({ status: 429, company, title: 'Too many tries', paragraphs: ['Try again in a minute.'] }))
    }
    const context: RequestContext = {
      ...ctx,
      ...{ actor: anonymous, requestId: request.id, address: request.ip },
      userAgent: request.headers['user-agent']?.slice(0, 400) ?? null,
    }
    const content = await make(context, request.params.token, doesOf(request))
    return reply.code(content.status).send(htmlOf(content))
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1024 }, (_request, body, done) => done(null, body))
    const options = { config: { hasSecretPath: true } }
    scope.get(page.path, options, (request: Asked, reply) => answer(request, reply, page.show))
    scope.post(page.path, options, (request: Asked, reply) => answer(request, reply, page.act))
  })
}
