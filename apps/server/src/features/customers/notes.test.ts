import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/context.ts'
import { createPerson } from '../../../test/people.ts'
import { type Caller, request } from '../../../test/request.ts'
import { insertRows } from '../../../test/rows.ts'

let t: TestContext
let ada: Caller
let bob: Caller
let root: Caller

beforeAll(async () => {
  t = await createTestContext({ now: '2026-11-21T12:00:00Z' })
  await insertRows(t.ctx.pool, 'customers', [
    { id: 'cus_1', name: 'One' },
    { id: 'cus_2', name: 'Two' },
    { id: 'cus_3', name: 'Three' },
  ])
  const callerOf = async (role: string) => request(t.ctx).withKey((await createPerson(t, { role })).key)
  ada = await callerOf('support')
  bob = await callerOf('support')
  root = await callerOf('super_admin')
})
afterAll(() => t.close())

const notes = '/stripe/customers/cus_1/notes'
async function write(caller: Caller, text: string, path = notes): Promise<string> {
  t.clock.advance(1000)
  return (await caller.post(path, { text })).json().note.id
}
const textsOf = async (caller: Caller, query = '') =>
  (await caller.get(`${notes}${query}`)).json().notes.map(({ text }: { text: string }) => text)

const entriesOf = (id: string) =>
  t.ctx.db
    .selectFrom('audit_entries')
    .select(['action', 'before', 'after', 'outcome'])
    .where('resource_type', '=', 'customer_note')
    .where('resource_id', '=', id)
    .orderBy('id')
    .execute()

test('are added, read newest first, edited and deleted by whoever wrote them', async () => {
  const first = await write(ada, '  Called.\n\nWants <b>more</b>.  ')
  await write(bob, 'Mailed')
  const { notes: all } = (await ada.get(notes)).json()
  expect(all).toMatchObject([
    { text: 'Mailed', can_change: false, edited_at: null },
    { text: 'Called.\n\nWants <b>more</b>.', can_change: true, created_at: '2026-11-21T12:00:01.000Z' },
  ])
  expect(all[0].author_name).not.toBe(all[1].author_name)
  const edited = (await ada.patch(`${notes}/${first}`, { text: 'Called back' })).json().note
  expect(edited).toMatchObject({ text: 'Called back', edited_at: expect.any(String), edited_by: null })
  expect((await ada.delete(`${notes}/${first}`)).json()).toEqual({ success: true })
  expect(await textsOf(ada)).toEqual(['Mailed'])
  expect(await entriesOf(first)).toMatchObject([
    { action: 'customer_note.create', after: { customer_id: 'cus_1', text: 'Called.\n\nWants <b>more</b>.' } },
    {
      action: 'customer_note.update',
      before: { text: 'Called.\n\nWants <b>more</b>.' },
      after: { text: 'Called back' },
    },
    { action: 'customer_note.delete', before: { customer_id: 'cus_1', text: 'Called back' } },
  ])
  for (const answer of [await ada.delete(`${notes}/${first}`), await ada.patch(`${notes}/${first}`, { text: 'x' })])
    expect(answer.statusCode).toBe(404)
})

test('of others are for super admins only to change', async () => {
  const id = await write(ada, 'Private')
  const before = await entriesOf(id)
  expect((await bob.patch(`${notes}/${id}`, { text: 'Mine now' })).statusCode).toBe(403)
  expect((await bob.delete(`${notes}/${id}`)).statusCode).toBe(403)
  expect(await entriesOf(id)).toEqual(before)
  const edited = (await root.patch(`${notes}/${id}`, { text: 'Tidied' })).json().note
  expect(edited.edited_by).not.toBeNull()
  expect(edited.edited_by).not.toBe(edited.author_name)
  expect((await root.delete(`${notes}/${id}`)).statusCode).toBe(200)
})

test('an edit that changes nothing is none', async () => {
  const id = await write(ada, 'Same')
  expect((await ada.patch(`${notes}/${id}`, { text: ' Same ' })).json().note.edited_at).toBeNull()
  expect(await entriesOf(id)).toHaveLength(1)
})

test('are paged without loss, also past one that was deleted meanwhile', async () => {
  const path = '/stripe/customers/cus_3/notes'
  const ids: string[] = []
  for (const text of ['1', '2', '3', '4', '5']) ids.unshift(await write(ada, text, path))
  const first = (await ada.get(`${path}?limit=2`)).json()
  expect(first).toMatchObject({ notes: [{ text: '5' }, { text: '4' }], has_more: true })
  await ada.delete(`${path}/${ids[1]}`)
  const second = (await ada.get(`${path}?limit=2&starting_after=${ids[1]}`)).json()
  expect(second).toMatchObject({ notes: [{ text: '3' }, { text: '2' }], has_more: true })
  const third = (await ada.get(`${path}?limit=2&starting_after=${ids[3]}`)).json()
  expect(third).toMatchObject({ notes: [{ text: '1' }], has_more: false })
  const foreign = await ada.get(`${notes}?starting_after=${ids[0]}`)
  expect(foreign.json()).toMatchObject({ status: 400, parameter: 'starting_after' })
})

test('are linked from the audit log to the notes of their customer', async () => {
  const id = await write(ada, 'Linked')
  await ada.delete(`${notes}/${id}`)
  const { entries } = (await root.get(`/admin/audit?resource=customer_note&resource_id=${id}`)).json()
  expect(entries.map(({ link }: { link: string }) => link)).toEqual([
    '/admin/customers?open=cus_1&tab=notes',
    '/admin/customers?open=cus_1&tab=notes',
  ])
})

test('are in the timeline for those who may read notes, and for nobody else', async () => {
  const id = await write(ada, 'In the\ntimeline', '/stripe/customers/cus_2/notes')
  const path = '/stripe/customers/cus_2/activity?kinds=note'
  const kindsFor = async (caller: Caller) =>
    (await caller.get(path)).json().entries.map(({ kind, detail }: { kind: string; detail: string }) => [kind, detail])
  const [one, other] = [request(t.ctx).as(['customers.read', 'support.read']), request(t.ctx).as(['customers.read'])]
  for (const _ of [1, 2]) {
    expect(await kindsFor(one)).toEqual([['note', 'In the\ntimeline']])
    expect(await kindsFor(other)).toEqual([])
  }
  await ada.delete(`/stripe/customers/cus_2/notes/${id}`)
  expect(await kindsFor(one)).toEqual([])
})

test.each([
  ['nothing', {}],
  ['blanks', { text: ' \n ' }],
  ['too much', { text: 'x'.repeat(4001) }],
  ['a NUL', { text: 'a\0b' }],
  ['half of a character', { text: 'a\ud83d' }],
  ['more than a text', { text: 'x', author_name: 'Somebody' }],
])('refuses %s', async (_, body) => {
  expect((await ada.post(notes, body)).statusCode).toBe(400)
})

test('takes 4,000 characters, of a customer that is there', async () => {
  expect((await ada.post(notes, { text: 'é'.repeat(4000) })).statusCode).toBe(200)
  expect((await ada.post('/stripe/customers/cus_none/notes', { text: 'x' })).statusCode).toBe(404)
  expect((await ada.get('/stripe/customers/cus_none/notes')).statusCode).toBe(404)
  const id = await write(ada, 'Here')
  expect((await ada.delete(`/stripe/customers/cus_2/notes/${id}`)).statusCode).toBe(404)
})

test('reading needs support.read, writing support.write', async () => {
  const reader = request(t.ctx).as(['support.read', 'customers.write'])
  const id = await write(ada, 'Read me')
  expect((await reader.get(notes)).json().notes[0]).toMatchObject({ text: 'Read me', can_change: false })
  expect((await reader.post(notes, { text: 'x' })).statusCode).toBe(403)
  expect((await reader.patch(`${notes}/${id}`, { text: 'x' })).statusCode).toBe(403)
  expect((await reader.delete(`${notes}/${id}`)).statusCode).toBe(403)
  expect((await request(t.ctx).as('admin').get(notes)).statusCode).toBe(403)
})
