import { afterAll, beforeAll, expect, test } from 'vitest'
import { execute } from '../../../test/database.ts'
import { createSecretBox, type SecretBox } from '../../platform/secrets.ts'
import { findRoleTroubles } from './role-troubles.ts'
import { rolesScript } from './roles-script.ts'
import { ask, openSqlWorld, type SqlWorld } from './test/ask.ts'

let world: SqlWorld
let box: SecretBox
const troubles = () => findRoleTroubles(world.t.ctx.pool, box)
const own = (text: string) => execute(world.t.database.connectionString, text)

beforeAll(async () => {
  world = await openSqlWorld()
  box = await world.t.ctx.instance(createSecretBox)
})
afterAll(() => world?.t.close())

test('the roles are made at the first query, and nothing is wrong with them then', async () => {
  expect(await troubles()).toMatchObject({ state: 'later', troubles: [] })
  await ask(world.root, 'select 1')
  expect(await troubles()).toMatchObject({ state: 'ready', troubles: [] })
})

test('what makes them says no password, and changes nothing the second time', async () => {
  const script = await rolesScript(world.t.ctx.pool, box)
  expect(script).toMatch(/^-- The roles of the SQL console/)
  expect(script).toContain('SCRAM-SHA-256$4096:')
  const [row] = await own('select current_database() as name')
  const reader = `${row?.['name']}_sql_reader`
  expect(script).not.toContain(box.sign('password of a database role', reader))
  expect(await rolesScript(world.t.ctx.pool, box)).toBe(script)
  await own(script)
  expect(await troubles()).toMatchObject({ state: 'ready', troubles: [] })
})

test('whatever a role may beyond the views is found', async () => {
  const [row] = await own('select current_database() as name')
  const reader = `"${row?.['name']}_sql_reader"`
  for (const [change, back, words] of [
    [`grant select on users to ${reader}`, `revoke select on users from ${reader}`, 'reaches public.users'],
    [
      `grant update (name) on customers to ${reader}`,
      `revoke update (name) on customers from ${reader}`,
      'reaches public.customers',
    ],
    [
      `alter role ${reader} set default_transaction_read_only = off`,
      `alter role ${reader} set default_transaction_read_only = on`,
      'does not begin read-only',
    ],
    [`alter role ${reader} inherit`, `alter role ${reader} noinherit`, 'inherits what its roles may do'],
    [`alter role ${reader} createdb`, `alter role ${reader} nocreatedb`, 'may do more than read'],
    [`alter role ${reader} password 'another'`, await rolesScript(world.t.ctx.pool, box), 'cannot sign in'],
  ] as const) {
    await own(change)
    expect((await troubles()).troubles.join()).toContain(words)
    await own(back)
    expect((await troubles()).troubles).toEqual([])
  }
})
