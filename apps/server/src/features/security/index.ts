import { security } from '@agency/contract'
import { z } from 'zod'
import { routesOf } from '../../platform/http/routes.ts'
import { job } from '../../platform/job.ts'
import { disableAdminKey, getAdminKey, rotateAdminKey } from './service/admin-key.ts'
import { getSecurityChecks, runSecurityChecks } from './service/checks.ts'
import { listSessions, revokeOtherSessions, revokeSession } from './service/sessions.ts'
import { listAttempts, listLockOuts, releaseLockOut } from './service/sign-ins.ts'

export { createOwnAddress } from './own-address.ts'
export { createProxyWatch, findUntrustedProxy } from './proxy.ts'
export { plainTransport } from './transport.ts'

export const securityRoutes = routesOf(security, {
  listSessions: ({ ctx, query }) => listSessions(ctx, query),
  revokeSession: ({ ctx, params }) => revokeSession(ctx, params.id),
  revokeOtherSessions: ({ ctx }) => revokeOtherSessions(ctx),
  listSignInAttempts: ({ ctx, query }) => listAttempts(ctx, query),
  listLockOuts: ({ ctx }) => listLockOuts(ctx),
  releaseLockOut: ({ ctx, params }) => releaseLockOut(ctx, params.id),
  getAdminKey: ({ ctx }) => getAdminKey(ctx),
  rotateAdminKey: ({ ctx }) => rotateAdminKey(ctx),
  disableAdminKey: ({ ctx }) => disableAdminKey(ctx),
  getSecurityChecks: ({ ctx }) => getSecurityChecks(ctx),
  runSecurityChecks: ({ ctx }) => runSecurityChecks(ctx),
})

export const securityJobs = [
  job({
    name: 'security.check',
    input: z.object({}),
    schedule: '20 4 * * *',
    policy: 'alone',
    expireS: 300,
    run: async (ctx) => {
      await runSecurityChecks(ctx)
    },
  }),
]
