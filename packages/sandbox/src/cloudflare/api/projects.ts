import { badParameter, noProject, noRoute } from '../http/errors.ts'
import { infoOf, pageNames, projectPages, readPage } from '../http/paging.ts'
import type { Answer, Call, Route } from '../http/route.ts'
import { type DeploymentRow, deploymentColumns, findLive, type ProjectRow, present } from '../rules/deployments.ts'
import type { EnvVars, Project } from '../types.ts'

const projectColumns = 'name, id, created, doc, priv'

function checkAccount({ ids, account }: Call): void {
  if (ids[0] !== account.id) throw noRoute(`/accounts/${ids[0]}`)
}

export async function projectOf(call: Call): Promise<ProjectRow> {
  checkAccount(call)
  const sql = `select ${projectColumns} from ${call.schema}.cf_projects where name = $1`
  const { rows } = await call.db.query<ProjectRow>(sql, [call.ids[1]])
  if (!rows[0]) throw noProject()
  return rows[0]
}

async function show(call: Call, row: ProjectRow): Promise<Project> {
  const { db, schema, now } = call
  const domains = await db.query<{ name: string }>(
    `select name from ${schema}.cf_domains where project = $1 order by created, name`,
    [row.name],
  )
  const latest = await db.query<DeploymentRow>(
    `select ${deploymentColumns} from ${schema}.cf_deployments where project = $1 order by created desc, ord desc limit 1`,
    [row.name],
  )
  const live = await findLive({ db, schema, now }, row.name)
  return {
    ...row.doc,
    domains: [`${row.name}.pages.dev`, ...domains.rows.map(({ name }) => name)],
    latest_deployment: latest.rows[0] ? present(latest.rows[0], now) : null,
    canonical_deployment: live ? present(live, now) : null,
  }
}

async function listProjects(call: Call): Promise<Answer> {
  checkAccount(call)
  const page = readPage(call.query, projectPages)
  const { rows } = await call.db.query<ProjectRow>(
    `select ${projectColumns} from ${call.schema}.cf_projects order by created desc, name limit $1 offset $2`,
    [page.perPage, page.offset],
  )
  const count = await call.db.query<{ total: number }>(`select count(*) as total from ${call.schema}.cf_projects`)
  const result: Project[] = []
  for (const row of rows) result.push(await show(call, row))
  return { result, info: infoOf(page, result.length, count.rows[0]?.total ?? 0) }
}

type Configs = Project['deployment_configs']
type GivenVars = Record<string, { type?: string; value?: unknown } | null>

/** A variable that is given as null goes; a secret's value is never shown again. */
function merge(before: EnvVars | null, given: GivenVars): EnvVars {
  const merged: EnvVars = { ...before }
  for (const [name, variable] of Object.entries(given)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw badParameter(`env_vars: '${name}' is not a valid name`)
    if (variable === null) {
      delete merged[name]
      continue
    }
    if (typeof variable !== 'object' || typeof variable.value !== 'string') {
      throw badParameter(`env_vars.${name} must have a type and a value`)
    }
    const { type = 'plain_text', value } = variable
    if (type !== 'plain_text' && type !== 'secret_text') throw badParameter(`env_vars.${name}.type is unknown`)
    merged[name] = { type, value: type === 'secret_text' ? '' : value }
  }
  return merged
}

const unknown = (name: string) => badParameter(`The sandbox does not know ${name} here`)
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function changedConfigs(before: Configs, given: unknown): Configs {
  if (given === undefined) return before
  if (!isObject(given)) throw badParameter('deployment_configs must be an object')
  const configs = { ...before }
  for (const [environment, change] of Object.entries(given)) {
    if (environment !== 'production' && environment !== 'preview') throw unknown(`deployment_configs.${environment}`)
    if (!isObject(change)) throw badParameter(`deployment_configs.${environment} must be an object`)
    const { env_vars: vars, ...others } = change as { env_vars?: GivenVars | null }
    for (const name of Object.keys(others)) throw unknown(`deployment_configs.${environment}.${name}`)
    if (vars === undefined) continue
    configs[environment] = {
      ...before[environment],
      env_vars: vars === null ? null : merge(before[environment].env_vars, vars),
    }
  }
  return configs
}

const isText = (value: unknown) => typeof value === 'string'
const isTextOrNull = (value: unknown) => value === null || isText(value)
const buildSettings = new Map<string, (value: unknown) => boolean>([
  ['build_caching', (value) => typeof value === 'boolean'],
  ['build_command', isText],
  ['destination_dir', isText],
  ['root_dir', isText],
  ['web_analytics_tag', isTextOrNull],
  ['web_analytics_token', isTextOrNull],
])

function changedBuild(before: Project['build_config'] & {}, given: unknown): Project['build_config'] & {} {
  if (given === undefined) return before
  if (!isObject(given)) throw badParameter('build_config must be an object')
  for (const [name, value] of Object.entries(given)) {
    const isValid = buildSettings.get(name)
    if (!isValid) throw unknown(`build_config.${name}`)
    if (!isValid(value)) throw badParameter(`build_config.${name} is not valid`)
  }
  return { ...before, ...given }
}

async function editProject(call: Call): Promise<Answer> {
  const row = await projectOf(call)
  const { production_branch: branch, build_config: build, deployment_configs: configs } = call.body
  if (branch !== undefined && !isText(branch)) throw badParameter('production_branch must be a text')
  const doc = {
    ...row.doc,
    deployment_configs: changedConfigs(row.doc.deployment_configs, configs),
    build_config: changedBuild(row.doc.build_config!, build),
    ...(branch !== undefined && { production_branch: branch }),
  }
  await call.db.query(`update ${call.schema}.cf_projects set doc = $2 where name = $1`, [row.name, JSON.stringify(doc)])
  return { result: await show(call, { ...row, doc }) }
}

const path = '/accounts/:account/pages/projects'

const editable = ['production_branch', 'build_config', 'deployment_configs']

export const projectRoutes: Route[] = [
  { name: 'pages.projects.list', method: 'GET', path, scope: 'Pages:Read', query: pageNames, answer: listProjects },
  {
    name: 'pages.projects.get',
    method: 'GET',
    path: `${path}/:project`,
    scope: 'Pages:Read',
    answer: async (call) => ({ result: await show(call, await projectOf(call)) }),
  },
  {
    name: 'pages.projects.edit',
    method: 'PATCH',
    path: `${path}/:project`,
    scope: 'Pages:Edit',
    body: editable,
    answer: editProject,
  },
]
