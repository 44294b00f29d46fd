import type { AdminUser, AuditEntry, Role, SessionState } from '@agency/contract/types'
import { testSession } from './render.tsx'

type User = NonNullable<SessionState['user']>

/** A session of somebody who signed in with email and password. */
export function personSession(
  part: Partial<Pick<SessionState, 'stage'>> = {},
  factor: Partial<User['second_factor']> = {},
): SessionState {
  const session = testSession(['customers.read', 'support.read'])
  return {
    ...session,
    actor: { ...session.actor, type: 'user', id: 'usr_me', name: 'Grace Hopper', role: 'support' },
    user: {
      id: 'usr_me',
      email: 'grace@example.com',
      role_name: 'Support',
      theme: 'system',
      second_factor: { enabled: false, required: false, recovery_codes_left: 0, ...factor },
    },
    ...part,
  }
}

export function aUser(part: Partial<AdminUser> = {}): AdminUser {
  return {
    id: 'usr_1',
    email: 'ada@example.com',
    name: 'Ada Lovelace',
    role: 'support',
    role_id: 'support',
    role_name: 'Support',
    permissions: ['customers.read', 'support.read'],
    is_active: true,
    created_at: '2026-03-02T10:00:00Z',
    updated_at: '2026-03-02T10:00:00Z',
    last_login_at: '2026-11-20T10:00:00Z',
    login_count: 12,
    created_by: 'Admin key',
    last_activity: '2026-11-20T11:00:00Z',
    online: false,
    second_factor: { enabled: false, required: false },
    password: 'own',
    open_link: null,
    locked_reason: null,
    ...part,
  }
}

export function aRole(part: Partial<Role> = {}): Role {
  return {
    id: 'support',
    name: 'support',
    display_name: 'Support',
    description: 'Works with support notes',
    permissions: ['customers.read', 'support.read'],
    user_count: 3,
    is_system_role: true,
    requires_second_factor: false,
    ...part,
  }
}

export function anEntry(part: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: '7',
    user_id: 'admin_key',
    user_name: 'Admin key',
    actor_type: 'admin_key',
    action: 'user.create',
    resource: 'user',
    resource_id: 'usr_1',
    outcome: 'done',
    details: 'Added Ada Lovelace',
    ip_address: '10.0.0.1',
    request_id: 'req_1',
    created_at: '2026-11-21T10:00:00Z',
    link: null,
    steps: 1,
    ...part,
  }
}
