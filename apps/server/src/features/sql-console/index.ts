import { sqlConsole } from '@agency/contract'
import { z } from 'zod'
import { rawJson, routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { findHistory } from './queries/history.ts'
import { abandonQuery, cancelQuery } from './service/cancel-query.ts'
import { endWrite, listWrites } from './service/end-write.ts'
import { getSchema } from './service/get-schema.ts'
import { explainQuery, runQuery } from './service/run-query.ts'
import { createSnippet, getSnippet, listSnippets, removeSnippet, updateSnippet } from './service/snippets.ts'
import { startWrite } from './service/start-write.ts'
import { sweepQueries, sweepWrites } from './sweep.ts'
import { whileAwaited } from './while-awaited.ts'

export { createOpenWrites } from './open-writes.ts'
export { findRoleTroubles } from './role-troubles.ts'
export { rolesScript } from './roles-script.ts'
export { sqlResultExport } from './sql-export.ts'

export const sqlConsoleRoutes = routesOf(sqlConsole, {
  getSqlSchema: ({ ctx }) => getSchema(ctx),
  runQuery: (call) => whileAwaited(call, abandonQuery, ({ ctx, body }) => runQuery(ctx, body)),
  explainQuery: (call) => whileAwaited(call, abandonQuery, ({ ctx, body }) => explainQuery(ctx, body)),
  cancelQuery: ({ ctx, params }) => cancelQuery(ctx, params.id),
  listQueries: async ({ ctx, query }) => rawJson(await findHistory(ctx.pool, ctx.actor, query)),
  listSnippets: ({ ctx }) => listSnippets(ctx),
  createSnippet: {
    handle: async ({ ctx, body, claim }) => ({ snippet: await createSnippet(ctx, body, claim) }),
    replay: async ({ ctx, subject }) => ({ snippet: await getSnippet(ctx, subject) }),
  },
  updateSnippet: async ({ ctx, params, body }) => ({ snippet: await updateSnippet(ctx, params.id, body) }),
  deleteSnippet: ({ ctx, params }) => removeSnippet(ctx, params.id),
  startWrite: (call) => whileAwaited(call, abandonQuery, ({ ctx, body }) => startWrite(ctx, body)),
  listWrites: ({ ctx }) => listWrites(ctx),
  commitWrite: ({ ctx, params }) => endWrite(ctx, params.id, 'commit'),
  rollBackWrite: ({ ctx, params }) => endWrite(ctx, params.id, 'roll_back'),
})

export const sqlConsoleJobs = [
  job({
    ...{ name: 'sql-console.sweep', input: z.object({}), schedule: '* * * * *', policy: 'alone' },
    ...{ retries: 0, expireS: 60, atStart: true },
    run: async (ctx) => {
      await sweepQueries(ctx)
      await sweepWrites(ctx)
    },
  }),
]
