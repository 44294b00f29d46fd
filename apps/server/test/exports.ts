import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Exported, ExportOrder } from '@agency/contract/exports'
import type { LightMyRequestResponse } from 'fastify'
import type { TestContext } from './context.ts'
import { createPerson, secretsEnv } from './people.ts'
import { type Caller, request } from './request.ts'

/** The environment of a console that keeps the files of its exports to itself. */
export const exportsEnv = async (): Promise<Record<string, string>> => ({
  ...secretsEnv,
  DATA_DIR: await mkdtemp(join(tmpdir(), 'exports-')),
})

export const personAs = async (t: TestContext, role: string): Promise<Caller> =>
  request(t.ctx).withKey((await createPerson(t, { role })).key)

/** Orders an export and has it made. */
export async function exportAs(t: TestContext, caller: Caller, order: ExportOrder): Promise<Exported> {
  const ordered = await caller.post('/exports', order)
  if (ordered.statusCode !== 200) throw new Error(`not ordered: ${ordered.body}`)
  const { id } = ordered.json().export
  await t.runJobs()
  return (await caller.get(`/exports/${id}`)).json().export
}

export const takeFile = (t: TestContext, url: string): Promise<LightMyRequestResponse> =>
  request(t.ctx).anonymous().inject({ method: 'GET', url })

/** The file as whoever presses Export gets it. */
export async function exportFile(t: TestContext, order: ExportOrder, caller?: Caller): Promise<LightMyRequestResponse> {
  const maker = caller ?? (await personAs(t, 'super_admin'))
  const { id, state, reason } = await exportAs(t, maker, order)
  if (state !== 'ready') throw new Error(`${state}: ${reason}`)
  return takeFile(t, (await maker.post(`/exports/${id}/link`)).json().url)
}
