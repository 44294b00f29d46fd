import {
  badParameter,
  badSetting,
  checkedAlready,
  noSetting,
  notPending,
  notRegistered,
  noZone,
  zoneExists,
} from '../http/errors.ts'
import { infoOf, pageNames, readPage, zonePages } from '../http/paging.ts'
import type { Answer, Call, Route } from '../http/route.ts'
import { insertZones } from '../seed/run.ts'
import { makeZone } from '../seed/zones.ts'
import type { ZoneRow } from '../types.ts'

export async function zoneOf({ db, schema, ids }: Pick<Call, 'db' | 'schema' | 'ids'>): Promise<ZoneRow> {
  const { rows } = await db.query<ZoneRow>(`select id, name, doc, priv from ${schema}.cf_zones where id = $1`, [ids[0]])
  if (!rows[0]) throw noZone()
  return rows[0]
}

const statuses = ['initializing', 'pending', 'active', 'moved']
const orders: Record<string, string> = {
  name: 'name',
  status: `doc->>'status'`,
  'account.id': `doc #>> '{account,id}'`,
  'account.name': `doc #>> '{account,name}'`,
  'plan.id': `doc #>> '{plan,id}'`,
}
const nameOperators: Record<string, (value: string) => string> = {
  equal: (value) => value,
  starts_with: (value) => `${value}%`,
  ends_with: (value) => `%${value}`,
  contains: (value) => `%${value}%`,
}
const asPattern = (text: string) => text.replace(/[\\%_]/g, '\\$&')

function namePattern(given: string): string {
  const colon = given.indexOf(':')
  const operator = colon < 0 ? undefined : nameOperators[given.slice(0, colon)]
  return operator ? operator(asPattern(given.slice(colon + 1))) : asPattern(given)
}

function orderOf(query: URLSearchParams): string {
  const order = orders[query.get('order') ?? 'name']
  const direction = query.get('direction') ?? 'asc'
  if (!order) throw badParameter('order must be one of name, status, account.id, account.name, plan.id')
  if (direction !== 'asc' && direction !== 'desc') throw badParameter('direction must be asc or desc')
  return `${order} ${direction} nulls last, name`
}

async function listZones({ db, schema, query }: Call): Promise<Answer> {
  const page = readPage(query, zonePages)
  const status = query.get('status')
  if (status !== null && !statuses.includes(status)) throw badParameter(`status must be one of ${statuses.join(', ')}`)
  const name = query.get('name')
  const types = query.get('type')?.split(',') ?? ['full', 'partial', 'secondary']
  const { rows } = await db.query<{ doc: unknown; total: number }>(
    `select doc, count(*) over () as total from ${schema}.cf_zones
     where ($1::text is null or doc->>'status' = $1) and ($2::text is null or name ilike $2)
       and doc->>'type' = any($3) and ($4::text is null or doc #>> '{account,id}' = $4)
     order by ${orderOf(query)} limit $5 offset $6`,
    [status, name === null ? null : namePattern(name), types, query.get('account.id'), page.perPage, page.offset],
  )
  const total = rows[0]?.total ?? (page.page === 1 ? 0 : await countZones({ db, schema }, types))
  return { result: rows.map(({ doc }) => doc), info: infoOf(page, rows.length, total) }
}

async function countZones({ db, schema }: Pick<Call, 'db' | 'schema'>, types: string[]): Promise<number> {
  const sql = `select count(*) as total from ${schema}.cf_zones where doc->>'type' = any($1)`
  return (await db.query<{ total: number }>(sql, [types])).rows[0]?.total ?? 0
}

const settingValues = {
  ssl: ['off', 'flexible', 'full', 'strict'],
  always_use_https: ['on', 'off'],
  min_tls_version: ['1.0', '1.1', '1.2', '1.3'],
} as const
type SettingId = keyof typeof settingValues

const isSetting = (id: string | undefined): id is SettingId => id !== undefined && Object.hasOwn(settingValues, id)
const initial = { always_use_https: 'off', min_tls_version: '1.0' } as const

function settingOf({ doc, priv }: ZoneRow, id: SettingId) {
  return { id, value: { ...initial, ...priv }[id], modified_on: doc.modified_on, editable: true }
}

async function readSetting(call: Call): Promise<Answer> {
  const zone = await zoneOf(call)
  const id = call.ids[1]
  if (!isSetting(id)) throw noSetting()
  return { result: settingOf(zone, id) }
}

async function saveZone({ db, schema, now }: Call, { id, doc, priv }: ZoneRow): Promise<ZoneRow> {
  const saved = { ...doc, modified_on: new Date(now).toISOString() }
  const values = [id, JSON.stringify(saved), JSON.stringify(priv)]
  await db.query(`update ${schema}.cf_zones set doc = $2, priv = $3 where id = $1`, values)
  return { id, name: saved.name, doc: saved, priv }
}

async function editSetting(call: Call): Promise<Answer> {
  const zone = await zoneOf(call)
  const id = call.ids[1]
  if (!isSetting(id)) throw noSetting()
  const { value } = call.body
  if (!(settingValues[id] as readonly unknown[]).includes(value)) throw badSetting(id)
  return { result: settingOf(await saveZone(call, { ...zone, priv: { ...zone.priv, [id]: value } }), id) }
}

const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

/** A zone that is added waits for its name servers. */
async function createZone(call: Call): Promise<Answer> {
  const { db, schema, now, account } = call
  const { name, type = 'full', account: asked } = call.body
  if (type !== 'full') throw badParameter('The sandbox adds full zones only')
  if ((asked as { id?: unknown } | undefined)?.id !== account.id)
    throw badParameter('account.id must be the account of the token')
  if (typeof name !== 'string' || !hostName.test(name)) throw notRegistered(String(name))
  const { rowCount } = await db.query(`select from ${schema}.cf_zones where name = $1`, [name])
  if (rowCount) throw zoneExists(name)
  const options = { seed: account.seed, customers: 0, zones: 0, now, account: { id: account.id, name: account.name } }
  const made = makeZone(
    { name, plan: 'free', status: 'pending', before: ['ns1.registrar.example', 'ns2.registrar.example'] },
    options,
  )
  const at = new Date(now).toISOString()
  const zone = { ...made, doc: { ...made.doc, created_on: at, modified_on: at }, records: [] }
  await insertZones(db, schema, [zone])
  return { result: zone.doc }
}

const hour = 3_600_000

/** Free zones are looked at once an hour at most; what is found is told later. */
async function checkActivation(call: Call): Promise<Answer> {
  const zone = await zoneOf(call)
  if (zone.doc.status !== 'pending') throw notPending()
  if (call.now - (zone.priv.checkedAt ?? 0) < hour) throw checkedAlready()
  const { db, schema, now } = call
  await db.query(`update ${schema}.cf_zones set priv = $2 where id = $1`, [
    zone.id,
    JSON.stringify({ ...zone.priv, checkedAt: now }),
  ])
  return { result: { id: zone.id } }
}

async function editZone(call: Call): Promise<Answer> {
  const zone = await zoneOf(call)
  const { paused } = call.body
  if (typeof paused !== 'boolean') throw badParameter('paused must be true or false')
  return { result: (await saveZone(call, { ...zone, doc: { ...zone.doc, paused } })).doc }
}

async function readDnssec(call: Call): Promise<Answer> {
  const { name, doc, priv } = await zoneOf(call)
  const known = priv.dnssec === 'active' || priv.dnssec === 'pending'
  const digest = known ? call.ids[0]!.repeat(2).toUpperCase() : null
  return {
    result: {
      status: priv.dnssec,
      flags: known ? 257 : null,
      algorithm: known ? '13' : null,
      key_type: known ? 'ECDSAP256SHA256' : null,
      digest_type: known ? '2' : null,
      digest_algorithm: known ? 'SHA256' : null,
      digest,
      ds: known ? `${name}. 3600 IN DS 2371 13 2 ${digest}` : null,
      key_tag: known ? 2371 : null,
      public_key: known ? `${call.ids[0]}${call.ids[0]}==` : null,
      dnssec_multi_signer: false,
      dnssec_presigned: doc.type === 'secondary',
      modified_on: doc.modified_on,
    },
  }
}

const zoneFilters = [...pageNames, 'name', 'status', 'type', 'account.id', 'order', 'direction']
const setting = '/zones/:zone/settings/:setting'

export const zoneRoutes: Route[] = [
  { name: 'zones.list', method: 'GET', path: '/zones', scope: 'Zone:Read', query: zoneFilters, answer: listZones },
  {
    name: 'zones.get',
    method: 'GET',
    path: '/zones/:zone',
    scope: 'Zone:Read',
    answer: async (call) => ({ result: (await zoneOf(call)).doc }),
  },
  {
    name: 'zones.create',
    method: 'POST',
    path: '/zones',
    scope: 'Zone:Edit',
    body: ['name', 'type', 'account'],
    answer: createZone,
  },
  {
    name: 'zones.activationCheck.trigger',
    method: 'PUT',
    path: '/zones/:zone/activation_check',
    scope: 'Zone:Edit',
    answer: checkActivation,
  },
  { name: 'zones.edit', method: 'PATCH', path: '/zones/:zone', scope: 'Zone:Edit', body: ['paused'], answer: editZone },
  { name: 'zones.settings.get', method: 'GET', path: setting, scope: 'Zone Settings:Read', answer: readSetting },
  {
    name: 'zones.settings.edit',
    method: 'PATCH',
    path: setting,
    scope: 'Zone Settings:Edit',
    body: ['value'],
    answer: editSetting,
  },
  { name: 'dns.dnssec.get', method: 'GET', path: '/zones/:zone/dnssec', scope: 'DNS:Read', answer: readDnssec },
]
