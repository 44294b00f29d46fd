import {
  aliasedDeployment,
  alreadyInProduction,
  badParameter,
  liveDeployment,
  noDeployment,
  notRetryable,
  notRollbackable,
} from '../http/errors.ts'
import { deploymentPages, infoOf, pageNames, readPage } from '../http/paging.ts'
import type { Answer, Call, Route } from '../http/route.ts'
import { logAt } from '../rules/build-log.ts'
import { type DeploymentRow, deploymentColumns, findLive, present } from '../rules/deployments.ts'
import { isFinished } from '../rules/stages.ts'
import { startBuild } from '../rules/start-build.ts'
import { projectOf } from './projects.ts'

async function deploymentOf(call: Call): Promise<DeploymentRow> {
  const { name } = await projectOf(call)
  const { rows } = await call.db.query<DeploymentRow>(
    `select ${deploymentColumns} from ${call.schema}.cf_deployments where project = $1 and id = $2`,
    [name, call.ids[2]],
  )
  if (!rows[0]) throw noDeployment()
  return rows[0]
}

async function listDeployments(call: Call): Promise<Answer> {
  const { name } = await projectOf(call)
  const page = readPage(call.query, deploymentPages)
  const environment = call.query.get('env')
  if (environment !== null && environment !== 'production' && environment !== 'preview') {
    throw badParameter('env must be production or preview')
  }
  const where = 'project = $1 and ($2::text is null or environment = $2)'
  const { rows } = await call.db.query<DeploymentRow>(
    `select ${deploymentColumns} from ${call.schema}.cf_deployments where ${where}
     order by created desc, ord desc limit $3 offset $4`,
    [name, environment, page.perPage, page.offset],
  )
  const count = await call.db.query<{ total: number }>(
    `select count(*) as total from ${call.schema}.cf_deployments where ${where}`,
    [name, environment],
  )
  const result = rows.map((row) => present(row, call.now))
  return { result, info: infoOf(page, result.length, count.rows[0]?.total ?? 0) }
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

async function create(call: Call): Promise<Answer> {
  const project = await projectOf(call)
  const { body } = call
  const row = await startBuild(call, project, {
    branch: text(body['branch']) ?? project.doc.production_branch,
    trigger: 'ad_hoc',
    hash: text(body['commit_hash']),
    message: text(body['commit_message']),
    isDirty: body['commit_dirty'] === 'true',
  })
  return { result: present(row, call.now) }
}

async function retry(call: Call): Promise<Answer> {
  const project = await projectOf(call)
  const before = await deploymentOf(call)
  if (!isFinished(before.created, before.priv, call.now)) throw notRetryable()
  const { branch, commit_hash, commit_message, commit_dirty } = before.doc.deployment_trigger.metadata
  const row = await startBuild(call, project, {
    branch,
    trigger: before.doc.deployment_trigger.type,
    hash: commit_hash,
    message: commit_message,
    isDirty: commit_dirty,
  })
  return { result: present(row, call.now) }
}

async function rollback(call: Call): Promise<Answer> {
  const row = await deploymentOf(call)
  // What never goes live has no such moment: previews, failed, stopped and skipped builds.
  if (row.live_at === null || row.live_at > call.now) throw notRollbackable()
  if ((await findLive(call, row.project))?.id === row.id) throw alreadyInProduction()
  await call.db.query(`update ${call.schema}.cf_deployments set live_at = $2 where id = $1`, [row.id, call.now])
  return { result: present(row, call.now) }
}

async function remove(call: Call): Promise<Answer> {
  const row = await deploymentOf(call)
  if ((await findLive(call, row.project))?.id === row.id) throw liveDeployment()
  if (present(row, call.now).aliases && call.query.get('force') !== 'true') throw aliasedDeployment()
  await call.db.query(`delete from ${call.schema}.cf_deployments where id = $1`, [row.id])
  return { result: null }
}

async function readLog(call: Call): Promise<Answer> {
  const data = logAt(await deploymentOf(call), call.now)
  return { result: { total: data.length, includes_container_logs: true, data } }
}

const path = '/accounts/:account/pages/projects/:project/deployments'
const one = `${path}/:deployment`
const showOne = async (call: Call): Promise<Answer> => ({ result: present(await deploymentOf(call), call.now) })
const commitNames = ['branch', 'commit_hash', 'commit_message', 'commit_dirty']
const name = (verb: string) => `pages.projects.deployments.${verb}`

export const deploymentRoutes: Route[] = [
  {
    name: name('list'),
    method: 'GET',
    path,
    scope: 'Pages:Read',
    query: [...pageNames, 'env'],
    answer: listDeployments,
  },
  { name: name('create'), method: 'POST', path, scope: 'Pages:Edit', body: commitNames, answer: create },
  { name: name('get'), method: 'GET', path: one, scope: 'Pages:Read', answer: showOne },
  { name: name('delete'), method: 'DELETE', path: one, scope: 'Pages:Edit', query: ['force'], answer: remove },
  { name: name('retry'), method: 'POST', path: `${one}/retry`, scope: 'Pages:Edit', answer: retry },
  { name: name('rollback'), method: 'POST', path: `${one}/rollback`, scope: 'Pages:Edit', answer: rollback },
  { name: name('history.logs.get'), method: 'GET', path: `${one}/history/logs`, scope: 'Pages:Read', answer: readLog },
]
