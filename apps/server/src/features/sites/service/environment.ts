import type { BodyOf, QueryOf, ResponseOf } from '@agency/contract/endpoint'
import {
  type compareEnvironments,
  type listEnvironmentVersions,
  maxVariables,
  type rollBackEnvironment,
  type saveSiteEnvironment,
} from '@agency/contract/sites'
import type { SiteEnvironment } from '@agency/contract/types'
import type { RequestContext, TransactionContext } from '../../../context.ts'
import { recordAudit } from '../../../platform/audit.ts'
import { AppError, invalidParameter, notFound } from '../../../platform/errors.ts'
import { createSecretBox } from '../../../platform/secrets.ts'
import { type EnvironmentRow, findEnvironment, findVersions, insertEnvironment } from '../queries/environments.ts'
import { findRow } from '../queries/sites.ts'
import { changedBy, type Difference, differenceOf, isSame, type Variables } from '../rules/environment.ts'
import { changeSites } from './change-sites.ts'
import { openValues } from './environment-values.ts'
import { lockSite } from './find-site.ts'

type Db = Pick<RequestContext, 'db'>

async function checkSite({ db }: Db, id: string): Promise<void> {
  if (!(await findRow(db, id))) throw notFound(`Site ${id}`)
}

/** Names with the save that set each of them last. */
async function shown({ db }: Db, siteId: string): Promise<SiteEnvironment> {
  const versions = await findVersions(db, siteId, {})
  const [newest] = versions
  if (!newest) return { version: 0, saved_at: null, author: null, variables: [] }
  const setLast = (name: string) =>
    versions.find(({ added, changed }) => added.includes(name) || changed.includes(name)) ?? newest
  return {
    version: newest.version,
    saved_at: newest.created_at.toISOString(),
    author: newest.actor_name,
    variables: newest.names.map((name) => ({ name, changed_at: setLast(name).created_at.toISOString() })),
  }
}

export async function getEnvironment(ctx: RequestContext, siteId: string): Promise<SiteEnvironment> {
  await checkSite(ctx, siteId)
  return shown(ctx, siteId)
}

export async function listVersions(
  ctx: RequestContext,
  siteId: string,
  { limit, before }: QueryOf<typeof listEnvironmentVersions>,
): Promise<ResponseOf<typeof listEnvironmentVersions>> {
  await checkSite(ctx, siteId)
  const rows = await findVersions(ctx.db, siteId, { limit: limit + 1, before })
  const versions = rows.slice(0, limit).map(({ names: _, actor_name, created_at, ...row }) => ({
    ...{ ...row, author: actor_name, created_at: created_at.toISOString() },
  }))
  return { versions, has_more: rows.length > limit }
}

async function valuesOf(ctx: RequestContext, siteId: string, version: number, parameter: string): Promise<Variables> {
  if (version === 0) return {}
  const row = await findEnvironment(ctx.db, siteId, version)
  if (!row) throw invalidParameter(parameter, 'must be a version of this site’s environment')
  return openValues(ctx, row)
}

export async function compareVersions(
  ctx: RequestContext,
  siteId: string,
  { from, to }: QueryOf<typeof compareEnvironments>,
): Promise<Difference> {
  await checkSite(ctx, siteId)
  return differenceOf(await valuesOf(ctx, siteId, from, 'from'), await valuesOf(ctx, siteId, to, 'to'))
}

type Save = { siteId: string; current: EnvironmentRow | undefined; before: Variables; after: Variables }

async function saveVersion(
  tx: TransactionContext,
  { siteId, current, before, after }: Save,
  rolledBackTo: number | null,
): Promise<number> {
  const difference = differenceOf(before, after)
  if (isSame(difference)) return current?.version ?? 0
  const names = Object.keys(after).sort()
  const box = await tx.instance(createSecretBox)
  const row = await insertEnvironment(tx.db, {
    ...{ site_id: siteId, version: (current?.version ?? 0) + 1, created_at: new Date(tx.clock()) },
    ...{ actor_name: tx.actor.name, names, ...difference, rolled_back_to: rolledBackTo },
    sealed: box.seal(JSON.stringify(after)),
  })
  await recordAudit(tx, {
    action: rolledBackTo === null ? 'site.update_environment' : 'site.roll_back_environment',
    resource: 'site',
    id: siteId,
    before: { version: current?.version ?? 0 },
    after: { version: row.version, ...difference, ...(rolledBackTo !== null && { rolled_back_to: rolledBackTo }) },
  })
  return row.version
}

function checkCurrent(current: EnvironmentRow | undefined, version: number): void {
  if ((current?.version ?? 0) === version) return
  const who = current ? `${current.actor_name} saved version ${current.version}` : 'There is no saved version'
  throw new AppError('conflict', `${who}. Nothing was saved: reload and try again.`, {
    parameter: 'version',
  })
}

/** What cannot be opened any more can still be replaced, once every variable of it is. */
async function valuesBefore(
  tx: TransactionContext,
  current: EnvironmentRow | undefined,
  { set, remove }: Pick<BodyOf<typeof saveSiteEnvironment>, 'set' | 'remove'>,
): Promise<Variables> {
  const touched = new Set([...Object.keys(set), ...remove])
  if (current && current.names.length > 0 && current.names.every((name) => touched.has(name)))
    return openValues(tx, current).catch(() => Object.fromEntries(current.names.map((name) => [name, ''])))
  return openValues(tx, current)
}

export function saveEnvironment(
  ctx: RequestContext,
  siteId: string,
  { version, set, remove }: BodyOf<typeof saveSiteEnvironment>,
): Promise<SiteEnvironment> {
  return changeSites(ctx, async (tx) => {
    await lockSite(tx, siteId)
    const current = await findEnvironment(tx.db, siteId)
    checkCurrent(current, version)
    const missing = remove.find((name) => !current?.names.includes(name))
    if (missing !== undefined) throw invalidParameter('remove', `names ${missing}, which does not exist`)
    const before = await valuesBefore(tx, current, { set, remove })
    const after = changedBy(before, set, remove)
    if (Object.keys(after).length > maxVariables)
      throw new AppError('invalid_request', `An environment has ${maxVariables} variables at most`, {
        parameter: 'set',
      })
    await saveVersion(tx, { siteId, current, before, after }, null)
    return shown(tx, siteId)
  })
}

/** Saves what an older version held as a new one, and answers its number; the same values make no new version. */
export async function rollBackTo(tx: TransactionContext, siteId: string, to: number): Promise<number> {
  await lockSite(tx, siteId)
  const older = await findEnvironment(tx.db, siteId, to)
  if (!older) throw invalidParameter('to', 'must be a version of this site’s environment')
  const current = await findEnvironment(tx.db, siteId)
  const [before, after] = [await openValues(tx, current), await openValues(tx, older)]
  return saveVersion(tx, { siteId, current, before, after }, to)
}

export function rollBack(
  ctx: RequestContext,
  siteId: string,
  { version, to }: BodyOf<typeof rollBackEnvironment>,
): Promise<SiteEnvironment> {
  return changeSites(ctx, async (tx) => {
    await lockSite(tx, siteId)
    checkCurrent(await findEnvironment(tx.db, siteId), version)
    await rollBackTo(tx, siteId, to)
    return shown(tx, siteId)
  })
}
