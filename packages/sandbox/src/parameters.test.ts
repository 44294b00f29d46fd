import { expect, test } from 'vitest'
import { useSandbox } from '../test/sandbox.ts'
import type { Field, Shape } from './http/params.ts'
import { routes } from './stripe/api/index.ts'

const world = useSandbox({ size: { customers: 1 } })

type Named = { param: string; field: Field<unknown> }

/** Everything that may be named, however deep; a list is asked for by its first item. */
const namedIn = (shape: Shape, within?: string): Named[] =>
  Object.entries(shape).flatMap(([name, field]) => {
    const param = within ? `${within}[${name}]` : name
    const first = field.isList ? `${param}[0]` : param
    return [{ param: first, field }, ...(field.inner ? namedIn(field.inner, first) : [])]
  })

type Place = 'query' | 'body'

async function ask(route: (typeof routes)[number], param: string, place: Place) {
  const form = new URLSearchParams([[param, 'x']]).toString()
  const path = route.path.replaceAll(/:\w+/g, 'none')
  const answer = await fetch(`${world.sandbox.stripe.baseUrl}${path}${place === 'query' ? `?${form}` : ''}`, {
    method: route.method,
    headers: {
      authorization: `Bearer ${world.sandbox.stripe.secretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    ...(place === 'body' && { body: form }),
  })
  return { param, status: answer.status, body: (await answer.json()) as unknown }
}

const unknown = (param: string) => ({
  param,
  status: 400,
  body: { error: { type: 'invalid_request_error', code: 'parameter_unknown', param } },
})

const every = routes.map((route) => ({ name: route.name, route, named: namedIn(route.shape) }))
const holding = every.map(({ named, ...each }) => ({ ...each, named: named.filter(({ field }) => field.inner) }))
const lacking = every.map(({ named, ...each }) => ({
  ...each,
  named: named.filter(({ field }) => field.isUnsupported),
}))
const some = ({ named }: { named: Named[] }) => named.length > 0

test.each(every)('$name refuses what Stripe does not know', async ({ route }) => {
  const places: Place[] = route.method === 'GET' ? ['query'] : ['query', 'body']
  for (const place of places) expect(await ask(route, 'colour', place)).toMatchObject(unknown('colour'))
})

test.each(holding.filter(some))('$name refuses it within its parameters too', async ({ route, named }) => {
  for (const { param } of named) {
    const inner = `${param}[colour]`
    expect(await ask(route, inner, 'query')).toMatchObject(unknown(inner))
  }
})

test.each(lacking.filter(some))('$name refuses what the sandbox does not imitate', async ({ route, named }) => {
  for (const { param } of named)
    expect(await ask(route, param, 'query')).toMatchObject({
      ...{ param, status: 400 },
      body: { error: { code: 'sandbox_unsupported', param } },
    })
})
