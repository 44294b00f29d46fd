import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestContext } from '../../../test/context.ts'
import { createPerson } from '../../../test/people.ts'
import { request } from '../../../test/request.ts'
import { createTwoProcesses } from '../../../test/sign-in.ts'
import { shopOf } from './test/shop.ts'

let processes: [TestContext, TestContext]
beforeAll(async () => {
  processes = await createTwoProcesses()
})
afterAll(async () => {
  await processes[1].close()
  await processes[0].close()
})

async function administrators() {
  const people = await Promise.all(processes.map((one) => createPerson(one, { role: 'admin' })))
  return people.map(({ key }, index) => request(processes[index]!.ctx).withKey(key))
}

test('two administrators who reset, and who undo, the same site at once make one entry each time', async () => {
  const shop = shopOf(processes[0])
  const [ada, bob] = await administrators()
  for (let round = 0; round < 8; round++) {
    const id = `cs_${round}`
    await shop.buy({ id })
    const resets = await Promise.all([
      shop.reset(id, { reason: 'Ada' }, undefined, ada),
      shop.reset(id, { reason: 'Bob' }, undefined, bob),
      shop.bulk([id], {}, undefined, bob),
    ])
    const done = resets.flatMap((answer) => {
      const { reset, resets: several } = answer.json()
      return reset ? [reset] : (several ?? [])
    })
    expect(done).toHaveLength(1)
    expect([200, 409]).toContain(resets[0].statusCode)
    const undone = await Promise.all([
      shop.undo(done[0].id, {}, undefined, ada),
      shop.undo(done[0].id, {}, undefined, bob),
    ])
    expect(undone.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
    const { rows } = await shop.sql('select kind from purchase_resets where purchase_id = $1 order by seq', [id])
    expect(rows.map(({ kind }) => kind)).toEqual(['reset', 'undo'])
    const audit = await shop.sql(
      "select action from audit_entries where resource_id = $1 and action like 'purchase.%'",
      [id],
    )
    expect(audit.rows).toHaveLength(2)
  }
})
