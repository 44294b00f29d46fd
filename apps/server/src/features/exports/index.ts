import { exports as contract } from '@agency/contract'
import { type MountedRoute, routesOf } from '../../platform/http/routes.ts'
import { type Job, job } from '../../platform/job.ts'
import { makeJob, sweepJob } from './job-settings.ts'
import { type Kinds, makeExport } from './make-export.ts'
import { createExport, makeUnder } from './service/create-export.ts'
import { download } from './service/download.ts'
import { makeLink } from './service/link.ts'
import { cancelExport, getShown, listExports } from './service/own-exports.ts'
import { sweep } from './sweep.ts'

export { readExport } from './files.ts'
export type { Kinds } from './make-export.ts'
export { createExport, getShown, makeLink, makeUnder }

export const exportRoutes = (kinds: Kinds): MountedRoute[] =>
  routesOf(contract, {
    createExport: {
      handle: async ({ ctx, body, claim }) => ({ export: await createExport(ctx, kinds, body, claim) }),
      replay: async ({ ctx, subject }) => ({ export: await getShown(ctx, subject) }),
    },
    listExports: ({ ctx, query }) => listExports(ctx, query),
    getExport: async ({ ctx, params }) => ({ export: await getShown(ctx, params.id) }),
    cancelExport: async ({ ctx, params }) => ({ export: await cancelExport(ctx, params.id) }),
    linkExport: ({ ctx, params }) => makeLink(ctx, params.id),
    downloadExport: ({ ctx, params, query, request, reply }) =>
      download(ctx, { id: params.id, ...query }, request, reply),
  })

export const exportJobs = (kinds: Kinds): Job[] => [
  job({ ...makeJob, run: (ctx, { id }, { signal }) => makeExport(ctx, kinds, id, signal) }),
  job({ ...sweepJob, run: (ctx, _input, { signal }) => sweep(ctx, kinds, signal) }),
]
