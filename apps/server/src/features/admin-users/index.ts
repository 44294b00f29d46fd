import { adminUsers } from '@agency/contract'
import { routesOf } from '../../platform/http/routes.ts'
import { findRoles } from './queries/roles.ts'
import { createUser } from './service/create-user.ts'
import { deleteUser } from './service/delete-user.ts'
import { describeUser, previewRemoval } from './service/get-user.ts'
import { renewInvitation, revokeLink } from './service/links.ts'
import { listActivity } from './service/list-activity.ts'
import { listPermissions } from './service/list-permissions.ts'
import { listUsers } from './service/list-users.ts'
import { resetPassword } from './service/reset-password.ts'
import { resetSecondFactor } from './service/reset-second-factor.ts'
import { createRole, deleteRole, updateRole } from './service/roles.ts'
import { activateUser, deactivateUser } from './service/set-active.ts'
import { updateUser } from './service/update-user.ts'

export const adminUserRoutes = routesOf(adminUsers, {
  listUsers: ({ ctx, query }) => listUsers(ctx, query),
  getUser: ({ ctx, params }) => describeUser(ctx, params.id),
  createUser: ({ ctx, body }) => createUser(ctx, body),
  updateUser: ({ ctx, params, body }) => updateUser(ctx, params.id, body),
  activateUser: ({ ctx, params }) => activateUser(ctx, params.id),
  deactivateUser: ({ ctx, params }) => deactivateUser(ctx, params.id),
  resetSecondFactor: ({ ctx, params }) => resetSecondFactor(ctx, params.id),
  resetPassword: ({ ctx, params, body }) => resetPassword(ctx, params.id, body),
  renewInvitation: ({ ctx, params, body }) => renewInvitation(ctx, params.id, body?.send_email ?? true),
  revokeLink: ({ ctx, params }) => revokeLink(ctx, params.id),
  deleteUser: ({ ctx, params }) => deleteUser(ctx, params.id),
  previewUserRemoval: ({ ctx, params }) => previewRemoval(ctx, params.id),
  listRoles: async ({ ctx }) => ({ roles: await findRoles(ctx) }),
  createRole: ({ ctx, body }) => createRole(ctx, body),
  updateRole: ({ ctx, params, body }) => updateRole(ctx, params.id, body),
  deleteRole: ({ ctx, params }) => deleteRole(ctx, params.id),
  listPermissions: ({ ctx }) => listPermissions(ctx),
  listUserActivity: ({ ctx, query }) => listActivity(ctx, query),
})
