import * as auth from '@agency/contract/auth'
import { routesOf } from '../../platform/http/routes.ts'
import { describeSession, heartbeat, reportTab, signIn, signOut } from './service.ts'

export const authRoutes = routesOf(auth, {
  login: ({ ctx, body }) => signIn(ctx, body.key),
  getSession: ({ ctx }) => describeSession(ctx),
  heartbeat: ({ ctx, body }) => heartbeat(ctx, body?.tab),
  reportVisibility: ({ ctx, body }) => reportTab(ctx, body),
  logout: ({ ctx }) => signOut(ctx),
})
