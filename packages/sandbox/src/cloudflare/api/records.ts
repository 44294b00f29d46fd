import { randomBytes } from 'node:crypto'
import { noRecord } from '../http/errors.ts'
import { infoOf, pageNames, readPage, recordPages } from '../http/paging.ts'
import type { Answer, Call, Route } from '../http/route.ts'
import { type RecordPlace, recordFields, recordOf, refuseBeside, type StoredRecord } from '../rules/records.ts'
import { zoneOf } from './zones.ts'

async function readRecords({ db, schema, ids }: Call): Promise<StoredRecord[]> {
  const sql = `select records from ${schema}.cf_zones where id = $1`
  return (await db.query<{ records: StoredRecord[] }>(sql, [ids[0]])).rows[0]?.records ?? []
}

async function saveRecords({ db, schema, ids }: Call, records: StoredRecord[]): Promise<void> {
  await db.query(`update ${schema}.cf_zones set records = $2 where id = $1`, [ids[0], JSON.stringify(records)])
}

type Opened = { place: RecordPlace; records: StoredRecord[] }

async function openZone(call: Call): Promise<Opened> {
  const { name, doc } = await zoneOf(call)
  return { place: { zone: name, plan: doc.plan?.legacy_id ?? 'free', now: call.now }, records: await readRecords(call) }
}

function getIn(records: readonly StoredRecord[], { ids }: Call): StoredRecord {
  const record = records.find(({ id }) => id === ids[1])
  if (!record) throw noRecord()
  return record
}

/** `name=x` and `name.exact=x` ask for the same. */
const asked = (query: URLSearchParams, name: string) => query.get(name) ?? query.get(`${name}.exact`)

async function listRecords(call: Call): Promise<Answer> {
  const { records } = await openZone(call)
  const { query } = call
  const page = readPage(query, recordPages)
  const [type, name, content, search] = [
    query.get('type'),
    asked(query, 'name'),
    asked(query, 'content'),
    query.get('search'),
  ]
  const found = records.filter(
    (record) =>
      (type === null || record.type === type) &&
      (name === null || record.name === name.toLowerCase()) &&
      (content === null || record.content === content) &&
      (search === null || `${record.name} ${record.content}`.toLowerCase().includes(search.toLowerCase())),
  )
  const shown = found.slice(page.offset, page.offset + page.perPage)
  return { result: shown, info: infoOf(page, shown.length, found.length) }
}

const getRecord = async (call: Call): Promise<Answer> => ({ result: getIn((await openZone(call)).records, call) })

async function createRecord(call: Call): Promise<Answer> {
  const { place, records } = await openZone(call)
  const record = recordOf(call.body, place, { id: randomBytes(16).toString('hex') })
  refuseBeside(record, records)
  await saveRecords(call, [...records, record])
  return { result: record }
}

async function replace(call: Call, { place, records }: Opened, before: StoredRecord, body: Record<string, unknown>) {
  const record = recordOf(body, place, before)
  refuseBeside(record, records)
  await saveRecords(
    call,
    records.map((each) => (each.id === record.id ? record : each)),
  )
  return { result: record }
}

/** PUT: what is not named is as it is with a new record. */
async function updateRecord(call: Call): Promise<Answer> {
  const zone = await openZone(call)
  return replace(call, zone, getIn(zone.records, call), call.body)
}

/** PATCH: what is not named stays. */
async function editRecord(call: Call): Promise<Answer> {
  const zone = await openZone(call)
  const before = getIn(zone.records, call)
  const { type, name, content, data, ttl, proxied, priority, comment, tags, settings } = before
  const isOther = call.body['type'] !== undefined && call.body['type'] !== type
  const kept = { name, ttl, proxied: isOther ? false : proxied, comment, tags, settings }
  const own = isOther ? {} : { content, ...(data && { data }), ...(priority !== undefined && { priority }) }
  return replace(call, zone, before, { ...kept, type, ...own, ...call.body })
}

async function deleteRecord(call: Call): Promise<Answer> {
  const { records } = await openZone(call)
  const { id } = getIn(records, call)
  await saveRecords(
    call,
    records.filter((record) => record.id !== id),
  )
  return { result: { id } }
}

const path = '/zones/:zone/dns_records'
const one = `${path}/:record`

const filters = [...pageNames, 'type', 'name', 'name.exact', 'content', 'content.exact', 'search']
const body = recordFields

export const recordRoutes: Route[] = [
  { name: 'dns.records.list', method: 'GET', path, scope: 'DNS:Read', query: filters, answer: listRecords },
  { name: 'dns.records.get', method: 'GET', path: one, scope: 'DNS:Read', answer: getRecord },
  { name: 'dns.records.create', method: 'POST', path, scope: 'DNS:Edit', body, answer: createRecord },
  { name: 'dns.records.update', method: 'PUT', path: one, scope: 'DNS:Edit', body, answer: updateRecord },
  { name: 'dns.records.edit', method: 'PATCH', path: one, scope: 'DNS:Edit', body, answer: editRecord },
  { name: 'dns.records.delete', method: 'DELETE', path: one, scope: 'DNS:Edit', answer: deleteRecord },
]
