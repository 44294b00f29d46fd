import type { Sandbox } from '@agency/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cloudflareAt } from '../../../test/cloudflare.ts'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { startTestSandbox } from '../../../test/fixtures/mirror.ts'
import { type Caller, request } from '../../../test/request.ts'
import { entriesOf, makeSite, siteOf } from '../../../test/sites.ts'
import { advanceAndDie } from './test/dying-console.ts'

const project = 'cascobaycoffee'

let sandbox: Sandbox
let stop: () => Promise<void>
let t: TestContext
let root: Caller

beforeAll(async () => {
  ;({ sandbox, stop } = await startTestSandbox({
    cloudflare: { requestLimit: 0, stageMs: 30 },
    size: { customers: 3 },
  }))
  t = await createTestContext({ cloudflare: cloudflareAt(sandbox.cloudflare) })
  root = request(t.ctx).as(['sites.read', 'sites.write'])
})
afterAll(async () => {
  await t?.close()
  await stop?.()
})

const attached = async () =>
  (await cloudflareAt(sandbox.cloudflare).listProjectDomains(project)).map(({ name }) => name).sort()

/** Lets a process die at every call, one after the other, until one gets to the end. */
async function dieAtEveryCall(site: string, when: 'before' | 'after'): Promise<number> {
  const { connectionString } = t.database
  const order = { connectionString, address: sandbox.cloudflare, site }
  let deaths = 0
  while (deaths < 20 && (await advanceAndDie({ ...order, death: { nth: deaths + 1, when } }))) deaths++
  t.ctx.changes.tell('sites')
  return deaths
}

const doneEntries = async (site: string): Promise<string[]> =>
  (await entriesOf(t, site)).flatMap(({ action, after }) =>
    (after as { state?: string } | null)?.state === 'done' ? [action] : [],
  )

describe.each(['before', 'after'] as const)('killed %s every call to Cloudflare', (when) => {
  test('a suspension and its end leave the project as it was', async () => {
    const before = await attached()
    const { id } = await makeSite(root)
    await root.patch(`/sites/${id}/settings`, { version: 1, provider: 'pages', pages: { project } })
    await root.post(`/sites/${id}/suspend`, { reason: 'Not paid' })
    expect(await dieAtEveryCall(id, when)).toBeGreaterThan(2)
    expect(await attached()).toEqual([])
    const offline = await siteOf(root, id)
    expect(offline).toMatchObject({ status: 'suspended', at_provider: 'offline' })
    expect(offline.suspension?.domains.toSorted()).toEqual(before)
    await root.post(`/sites/${id}/resume`)
    expect(await dieAtEveryCall(id, when)).toBeGreaterThan(2)
    expect(await attached()).toEqual(before)
    expect(await siteOf(root, id)).toMatchObject({ status: 'pending', at_provider: 'served', suspension: null })
    expect(await doneEntries(id)).toEqual(['site.suspend', 'site.resume'])
  })
})
