import { expect, test } from 'vitest'
import { useSandbox } from '../../test/sandbox.ts'
import { routes } from './api/index.ts'

const world = useSandbox({ size: { customers: 1 }, cloudflare: { requestLimit: 0, graphqlLimit: 0 } })

async function ask({ method, path }: (typeof routes)[number], { query = '', body }: { query?: string; body?: object }) {
  const { baseUrl, accountId, apiToken: token } = world.sandbox.cloudflare
  const address = path.replace(':account', accountId).replaceAll(/:\w+/g, 'none')
  const answer = await fetch(`${baseUrl}${address}${query}`, {
    ...{ method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as unknown }
}

const refused = {
  status: 400,
  body: { success: false, errors: [{ message: 'The sandbox does not know colour here' }] },
}

test.each(routes)('$name refuses what it does not honour', async (route) => {
  expect(await ask(route, { query: '?colour=red' })).toMatchObject(refused)
  if (route.method !== 'GET') expect(await ask(route, { body: { colour: 'red' } })).toMatchObject(refused)
})
