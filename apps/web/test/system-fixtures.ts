import type { ApiKey, AuditEntry, LiveSession, Mail, Setting } from '@agency/contract/types'

/** Rows of the system's own screens, as the server answers them. */
export function anEntry(part: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: 'aud_2',
    user_id: 'usr_1',
    user_name: 'Grace Hopper',
    actor_type: 'user',
    action: 'subscription.cancel',
    resource: 'subscription',
    resource_id: 'sub_1',
    outcome: 'done',
    details: 'Cancelled the subscription to Business at the end of the period',
    ip_address: '203.0.113.7',
    request_id: 'req_1',
    created_at: '2026-11-21T10:00:00Z',
    link: '/admin/subscriptions?open=sub_1',
    steps: 1,
    ...part,
  }
}

export function aLiveSession(part: Partial<LiveSession> = {}): LiveSession {
  return {
    id: 'ses_1',
    actor_type: 'admin_key',
    actor_id: 'admin_key',
    actor_name: 'Admin key',
    role: 'super_admin',
    device: 'Firefox on Linux',
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    address: '203.0.113.7',
    created_at: '2026-11-21T09:00:00Z',
    last_activity_at: '2026-11-21T10:00:00Z',
    expires_at: '2026-11-21T21:00:00Z',
    second_factor: false,
    stage: 'open',
    is_mine: false,
    ...part,
  }
}

export function anApiKey(part: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 'key_1',
    name: 'Accounting export',
    key_prefix: 'ack_a1b2c3',
    permissions: ['customers.read', 'sites.read', 'billing.read'],
    effective_permissions: ['customers.read', 'sites.read', 'billing.read'],
    last_used: '2026-11-21T09:00:00Z',
    last_used_address: '203.0.113.9',
    last_used_endpoint: 'GET /stripe/customers',
    use_count: 1234,
    expires_at: null,
    is_active: true,
    state: 'active',
    rate_limit_per_minute: 600,
    allowed_origins: [],
    created_at: '2026-09-01T10:00:00Z',
    created_by: 'Grace Hopper',
    previous: null,
    ...part,
  }
}

export function aSetting(part: Partial<Setting> = {}): Setting {
  return {
    key: 'sessions.idle_minutes',
    group: 'sessions',
    label: 'Idle time',
    hint: 'A session ends after that long without activity.',
    kind: 'number',
    choices: null,
    min: 5,
    max: 30,
    unit: 'minutes',
    source: 'default',
    env: null,
    value: 30,
    is_set: false,
    default_value: 30,
    version: 0,
    updated_at: null,
    updated_by: null,
    ...part,
  }
}

export function aMail(part: Partial<Mail> = {}): Mail {
  return {
    id: 'mail_1',
    kind: 'invitation',
    to: 'ada@example.com',
    subject: 'You are invited to Agency Console',
    state: 'kept',
    created_at: '2026-11-21T09:00:00Z',
    sent_at: null,
    attempts: 0,
    error: null,
    ...part,
  }
}
