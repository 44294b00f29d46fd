import { randomUUID } from 'node:crypto'
import type { DomainListResponse } from 'cloudflare/resources/pages/projects/domains'
import { badDomain, domainTaken, noDomain } from '../http/errors.ts'
import type { Answer, Call, Route } from '../http/route.ts'
import { projectOf } from './projects.ts'

type DomainRow = { name: string; id: string; project: string; created: number; zone: string | null }

const columns = 'name, id, project, created, zone'
const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

function show({ name, id, created, zone }: DomainRow, { now, steering }: Call): DomainListResponse {
  const age = now - created
  const status = age < steering.stageMs / 2 ? 'initializing' : age < steering.stageMs ? 'pending' : 'active'
  return {
    id,
    domain_id: id,
    name,
    status,
    certificate_authority: 'google',
    created_on: new Date(created).toISOString(),
    validation_data: { method: 'http', status },
    verification_data: { status: status === 'active' ? 'active' : 'pending' },
    zone_tag: zone ?? '',
  }
}

async function listDomains(call: Call): Promise<Answer> {
  const { name } = await projectOf(call)
  const { rows } = await call.db.query<DomainRow>(
    `select ${columns} from ${call.schema}.cf_domains where project = $1 order by created, name`,
    [name],
  )
  const total = rows.length
  const info = { page: 1, per_page: Math.max(20, total), count: total, total_count: total, total_pages: 1 }
  return { result: rows.map((row) => show(row, call)), info }
}

async function findDomain(call: Call): Promise<DomainRow> {
  const { name } = await projectOf(call)
  const { rows } = await call.db.query<DomainRow>(
    `select ${columns} from ${call.schema}.cf_domains where project = $1 and name = $2`,
    [name, call.ids[2]?.toLowerCase()],
  )
  if (!rows[0]) throw noDomain()
  return rows[0]
}

async function zoneIdOf({ db, schema }: Call, name: string): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select id from ${schema}.cf_zones where $1 = name or $1 like '%.' || name order by length(name) desc limit 1`,
    [name],
  )
  return rows[0]?.id ?? null
}

async function addDomain(call: Call): Promise<Answer> {
  const project = await projectOf(call)
  const given = call.body['name']
  if (typeof given !== 'string' || !hostName.test(given.toLowerCase())) throw badDomain()
  const name = given.toLowerCase()
  const zone = await zoneIdOf(call, name)
  const { rows } = await call.db.query<DomainRow>(
    `insert into ${call.schema}.cf_domains (name, id, project, created, zone) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning ${columns}`,
    [name, randomUUID(), project.name, call.now, zone],
  )
  if (!rows[0]) throw domainTaken()
  return { result: show(rows[0], call) }
}

async function removeDomain(call: Call): Promise<Answer> {
  const { name } = await findDomain(call)
  await call.db.query(`delete from ${call.schema}.cf_domains where name = $1`, [name])
  return { result: null }
}

const path = '/accounts/:account/pages/projects/:project/domains'
const one = `${path}/:domain`
const showOne = async (call: Call): Promise<Answer> => ({ result: show(await findDomain(call), call) })

export const projectDomainRoutes: Route[] = [
  { name: 'pages.projects.domains.list', method: 'GET', path, scope: 'Pages:Read', answer: listDomains },
  {
    name: 'pages.projects.domains.create',
    method: 'POST',
    path,
    scope: 'Pages:Edit',
    body: ['name'],
    answer: addDomain,
  },
  { name: 'pages.projects.domains.get', method: 'GET', path: one, scope: 'Pages:Read', answer: showOne },
  { name: 'pages.projects.domains.edit', method: 'PATCH', path: one, scope: 'Pages:Edit', answer: showOne },
  { name: 'pages.projects.domains.delete', method: 'DELETE', path: one, scope: 'Pages:Edit', answer: removeDomain },
]
