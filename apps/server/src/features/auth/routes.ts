import * as auth from '@agency/contract/auth'
import { routesOf } from '../../platform/http/routes.ts'
import { heartbeat, reportTab } from './service/activity.ts'
import { listAdministrators } from './service/administrators.ts'
import { describeSession } from './service/describe-session.ts'
import { acceptLink, inspectLink } from './service/links.ts'
import { endMySessions, listMySessions } from './service/my-sessions.ts'
import { changePassword, chooseFirstPassword } from './service/passwords.ts'
import {
  beginEnrolment,
  confirmEnrolment,
  giveSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
} from './service/second-factor.ts'
import { signInWithEmail } from './service/sign-in-with-email.ts'
import { signInWithKey } from './service/sign-in-with-key.ts'
import { signOut } from './service/sign-out.ts'
import { setTheme } from './service/theme.ts'

export const authRoutes = routesOf(auth, {
  login: ({ ctx, body }) => signInWithKey(ctx, body.key),
  loginWithEmail: ({ ctx, body }) => signInWithEmail(ctx, body),
  giveSecondFactor: ({ ctx, body }) => giveSecondFactor(ctx, body.code),
  chooseFirstPassword: ({ ctx, body }) => chooseFirstPassword(ctx, body.password),
  changePassword: ({ ctx, body }) => changePassword(ctx, body),
  beginEnrolment: ({ ctx, body }) => beginEnrolment(ctx, body?.password),
  confirmEnrolment: ({ ctx, body }) => confirmEnrolment(ctx, body.code),
  renewRecoveryCodes: ({ ctx, body }) => renewRecoveryCodes(ctx, body),
  removeSecondFactor: ({ ctx, body }) => removeSecondFactor(ctx, body),
  listAdministrators: ({ ctx, query }) => listAdministrators(ctx, query.permission),
  listMySessions: ({ ctx }) => listMySessions(ctx),
  endMySessions: ({ ctx, body }) => endMySessions(ctx, body),
  setTheme: ({ ctx, body }) => setTheme(ctx, body.theme),
  inspectLink: ({ ctx, body }) => inspectLink(ctx, body.token),
  acceptLink: ({ ctx, body }) => acceptLink(ctx, body),
  getSession: ({ ctx }) => describeSession(ctx),
  heartbeat: ({ ctx, body }) => heartbeat(ctx, body?.tab),
  reportVisibility: ({ ctx, body }) => reportTab(ctx, body),
  logout: ({ ctx, reply }) => signOut(ctx, reply),
})
