import { expect, test } from 'vitest'
import { all, cloudflareOf, useSandbox } from '../../test/sandbox.ts'
import { remoteControl } from '../index.ts'

const world = useSandbox({ size: { customers: 1 } })
const client = () => cloudflareOf(world.sandbox)

test('a token belongs to one person and one account', async () => {
  const { accountId: id } = world.sandbox.cloudflare
  expect(await client().user.get()).toMatchObject({ email: 'owner@harborandpine.example', suspended: false })
  const account = { id, name: 'Harbor & Pine', type: 'standard' }
  expect(await all(client().accounts.list({ per_page: 5 }))).toMatchObject([account])
  expect(await all(client().accounts.list({ name: 'Another' }))).toEqual([])
  expect(await client().accounts.get({ account_id: id })).toMatchObject(account)
  await expect(client().accounts.get({ account_id: 'f'.repeat(32) })).rejects.toMatchObject({ status: 404 })
  await expect(client().accounts.list({ per_page: 4 })).rejects.toMatchObject({ status: 400 })
})

test('a token that may not read them is refused', async () => {
  await remoteControl(world.sandbox.stripe).cloudflare({ scopes: ['Zone:Read'] })
  const refused = { status: 403, errors: [{ code: 10000 }] }
  await expect(client().user.get()).rejects.toMatchObject(refused)
  await expect(client().accounts.list()).rejects.toMatchObject(refused)
})
