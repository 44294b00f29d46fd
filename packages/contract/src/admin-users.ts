import { z } from 'zod'
import { auditEntry } from './audit.ts'
import { email, newPassword } from './auth.ts'
import { endpoint } from './endpoint.ts'
import { permission } from './permissions.ts'
import { count, idParams, instant, pageQuery, searchText, sortOf } from './primitives.ts'

export const role = z.object({
  id: z.string(),
  name: z.string(),
  display_name: z.string(),
  description: z.string(),
  permissions: z.array(permission),
  user_count: count,
  is_system_role: z.boolean(),
  /** Whoever has this role must use a second factor. */
  requires_second_factor: z.boolean(),
})
export type Role = z.output<typeof role>

export const userLink = z.object({
  id: z.string(),
  kind: z.enum(['invitation', 'password_reset']),
  created_at: instant,
  expires_at: instant,
})

export const adminUser = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  /** The role's `name`. */
  role: z.string(),
  role_id: z.string(),
  role_name: z.string(),
  /** What the role gives now. */
  permissions: z.array(permission),
  is_active: z.boolean(),
  created_at: instant,
  updated_at: instant,
  last_login_at: instant.nullable(),
  login_count: count,
  created_by: z.string(),
  last_activity: instant.nullable(),
  online: z.boolean(),
  second_factor: z.object({ enabled: z.boolean(), required: z.boolean() }),
  /** `none`: a link lets them choose one, be it the first or after a reset. */
  password: z.enum(['none', 'temporary', 'temporary_expired', 'own']),
  /** The link that waits to be used. */
  open_link: userLink.nullable(),
  /** Why the caller may not change this person, or null. */
  locked_reason: z.string().nullable(),
})
export type AdminUser = z.output<typeof adminUser>

/** One line, since it stands in mails and tables. */
const line = z
  .string()
  .trim()
  .regex(/^\P{Cc}*$/u, 'A name is one line of text')
const name = line.min(1, 'Enter a name').max(120, 'A name has 120 characters at most')
const roleId = z.string().min(1).max(64)
/** What an administrator must hand over by another way: shown once. */
const handover = z.object({
  user: adminUser,
  /** How the person hears of it: by mail, in the outbox because no mail server is set, or not at all. */
  mail: z.enum(['queued', 'kept', 'none']),
  /** The invitation or reset link; null where a temporary password was set. */
  link: z.string().nullable(),
  link_expires_at: instant.nullable(),
})
export type Handover = z.output<typeof handover>

export const listUsers = endpoint({
  method: 'GET',
  path: '/admin/users',
  permission: 'admin.users',
  summary: 'Administrators, by name',
  query: z.strictObject({
    ...pageQuery(25),
    search: searchText.optional(),
    role: z.string().max(64).optional(),
    status: z.enum(['all', 'active', 'inactive']).optional(),
    sort: sortOf(['name', 'created_at', 'last_login_at']).optional(),
  }),
  response: z.object({
    users: z.array(adminUser),
    has_more: z.boolean(),
    total: count,
    summary: z.object({ total: count, active: count, roles: count, online: count }),
  }),
  topics: ['users'],
  isPersonal: true,
})

export const getUser = endpoint({
  method: 'GET',
  path: '/admin/users/:id',
  permission: 'admin.users',
  summary: 'One administrator with effective permissions and live sessions',
  params: idParams,
  response: z.object({
    user: adminUser,
    effective_permissions: z.array(z.object({ permission, granted: z.boolean(), reason: z.string() })),
    sessions: z.array(
      z.object({
        id: z.string(),
        created_at: instant,
        last_activity_at: instant,
        address: z.string().nullable(),
        device: z.string(),
      }),
    ),
  }),
  topics: ['users'],
  isPersonal: true,
})

export const createUser = endpoint({
  method: 'POST',
  path: '/admin/users',
  permission: 'admin.users',
  summary: 'Add an administrator: with a temporary password, or else with an invitation link',
  body: z.strictObject({
    name,
    email,
    role_id: roleId.default('support'),
    temporary_password: newPassword.nullish(),
    send_welcome_email: z.boolean().default(true),
  }),
  response: handover,
})

export const updateUser = endpoint({
  method: 'PATCH',
  path: '/admin/users/:id',
  permission: 'admin.users',
  summary: 'Change name, email or role',
  params: idParams,
  body: z.strictObject({ name, email, role_id: roleId }).partial(),
  response: z.object({ user: adminUser }),
})

const userAction = (action: string, summary: string) =>
  endpoint({
    method: 'POST',
    path: `/admin/users/:id/${action}`,
    permission: 'admin.users',
    summary,
    params: idParams,
    body: z.strictObject({}).nullish(),
    response: z.object({ user: adminUser, ended_sessions: count }),
  })

export const activateUser = userAction('activate', 'Let an administrator sign in again')
export const deactivateUser = userAction('deactivate', 'Deactivate an administrator; all of their sessions end at once')
export const resetSecondFactor = userAction(
  'reset-second-factor',
  'Reset the two-step verification of somebody who lost it; all of their sessions end at once',
)

export const resetPassword = endpoint({
  method: 'POST',
  path: '/admin/users/:id/reset-password',
  permission: 'admin.users',
  summary: 'Set a temporary password, or make a reset link; all of their sessions end at once',
  params: idParams,
  body: z.strictObject({ temporary_password: newPassword.nullish(), send_email: z.boolean().default(true) }),
  response: handover,
})

export const renewInvitation = endpoint({
  method: 'POST',
  path: '/admin/users/:id/invitation',
  permission: 'admin.users',
  summary: 'Make a new invitation link; the one before stops working',
  params: idParams,
  body: z.strictObject({ send_email: z.boolean().default(true) }).nullish(),
  response: handover,
})

export const revokeLink = endpoint({
  method: 'DELETE',
  path: '/admin/users/:id/link',
  permission: 'admin.users',
  summary: 'Make the open invitation or reset link useless',
  params: idParams,
  response: z.object({ user: adminUser }),
})

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/admin/users/:id',
  permission: 'admin.users',
  summary: 'Delete an administrator; sessions and API keys of theirs end at once',
  params: idParams,
  response: z.object({ success: z.literal(true), ended_sessions: count, dead_api_keys: count }),
})

/** What a change would end, said before it is made. */
export const previewUserRemoval = endpoint({
  method: 'GET',
  path: '/admin/users/:id/removal',
  permission: 'admin.users',
  summary: 'What deactivating or deleting somebody ends',
  params: idParams,
  response: z.object({ live_sessions: count, api_keys: z.array(z.object({ id: z.string(), name: z.string() })) }),
  topics: ['users', 'api_keys'],
  isPersonal: true,
})

export const listRoles = endpoint({
  method: 'GET',
  path: '/admin/roles',
  permission: 'admin.users',
  summary: 'Roles with what they hold and how many people have them',
  response: z.object({ roles: z.array(role) }),
  topics: ['users'],
})

const roleFields = z.strictObject({
  display_name: line.min(1, 'Enter a name').max(60, 'A role name has 60 characters at most'),
  description: z.string().trim().max(300, 'A description has 300 characters at most').default(''),
  permissions: z.array(permission).max(20),
  requires_second_factor: z.boolean().default(false),
})

export const createRole = endpoint({
  method: 'POST',
  path: '/admin/roles',
  permission: 'admin.users',
  summary: 'Add a role of your own, with no more than you hold',
  body: roleFields,
  response: z.object({ role }),
})

export const updateRole = endpoint({
  method: 'PATCH',
  path: '/admin/roles/:id',
  permission: 'admin.users',
  summary: 'Change a role of your own; of a system role only whether it requires two-step verification',
  params: idParams,
  body: z
    .strictObject({
      display_name: roleFields.shape.display_name,
      description: z.string().trim().max(300),
      permissions: roleFields.shape.permissions,
      requires_second_factor: z.boolean(),
    })
    .partial(),
  response: z.object({ role }),
})

export const deleteRole = endpoint({
  method: 'DELETE',
  path: '/admin/roles/:id',
  permission: 'admin.users',
  summary: 'Delete a role that nobody has',
  params: idParams,
  response: z.object({ success: z.literal(true) }),
})

export const listPermissions = endpoint({
  method: 'GET',
  path: '/admin/permissions',
  permission: 'admin.users',
  summary: 'Every permission and which roles hold it',
  response: z.object({
    permissions: z.array(
      z.object({
        id: permission,
        name: z.string(),
        category: z.string(),
        description: z.string(),
        /** By the names that people see. */
        roles: z.array(z.string()),
      }),
    ),
  }),
  topics: ['users'],
})

export const listUserActivity = endpoint({
  method: 'GET',
  path: '/admin/users-activity',
  permission: 'admin.users',
  summary: 'What administrators did with people, roles and sessions, newest first',
  query: z.strictObject({ ...pageQuery(25), user: z.string().max(64).optional() }),
  response: z.object({ entries: z.array(auditEntry), has_more: z.boolean() }),
  topics: ['audit'],
})
