import type { adminUsers } from '@agency/contract'
import type { QueryOf } from '@agency/contract/endpoint'
import type { AdminUser } from '@agency/contract/types'
import type { AppContext } from '../../../context.ts'
import { type List, readPage } from '../../../platform/keyset.ts'
import { runStatement, Values } from '../../../platform/statements.ts'

export type UsersQuery = QueryOf<typeof adminUsers.listUsers>
type Db = Pick<AppContext, 'pool' | 'clock'>

/** A person as the database tells it: what the role gives and who may change them is for the rules to say. */
export type ShownUser = Omit<AdminUser, 'permissions' | 'locked_reason'> & { role_permissions: string[] }

const onlineMs = 5 * 60_000

/**
 * Somebody is online who has a session that is signed in, not ended by hand or by its limits, and in which something was
 * done during the last five minutes.
 */
const isOnline = (alias: string, now: string) => `${alias}.stage = 'open' and ${alias}.revoked_at is null
  and ${alias}.expires_at > ${now} and ${alias}.idle_expires_at > ${now}
  and ${alias}.last_activity_at > ${now} - interval '${onlineMs} milliseconds'`

const from = 'users u join roles r on r.id = u.role_id'

const columns = (now: string) => `u.id, u.email, u.name, r.name as role, r.id as role_id, r.display_name as role_name,
  r.permissions as role_permissions, u.is_active, iso_utc(u.created_at) as created_at, iso_utc(u.updated_at) as updated_at,
  iso_utc(u.last_login_at) as last_login_at, u.login_count, u.created_by_name as created_by,
  iso_utc(u.last_activity_at) as last_activity,
  exists (
    select from sessions s where s.actor_id = u.id and s.actor_type = 'user' and ${isOnline('s', now)}
  ) as online,
  json_build_object('enabled', u.totp_enabled_at is not null, 'required', r.requires_second_factor) as second_factor,
  case
    when u.password_hash is null then 'none'
    when u.temporary_password_expires_at is null then 'own'
    when u.temporary_password_expires_at > ${now} then 'temporary'
    else 'temporary_expired'
  end as password,
  (
    select json_build_object('id', l.id, 'kind', l.kind, 'created_at', iso_utc(l.created_at), 'expires_at', iso_utc(l.expires_at))
    from user_links l
    where l.user_id = u.id and l.used_at is null and l.revoked_at is null and l.expires_at > ${now}
    order by l.created_at desc limit 1
  ) as open_link`

const sortKeys = {
  name: 'lower(u.name)',
  created_at: 'u.created_at',
  last_login_at: `coalesce(u.last_login_at, '-infinity')`,
} as const

function conditions({ search, role, status }: UsersQuery, values: Values): string[] {
  const where: string[] = []
  if (search) {
    const text = values.add(search)
    where.push(`(position(lower(${text}) in lower(u.name)) > 0 or position(lower(${text}) in u.email) > 0)`)
  }
  if (role) where.push(`${values.add(role)} in (r.id, r.name)`)
  if (status && status !== 'all') where.push(`u.is_active = ${status === 'active'}`)
  return where
}

const nowIn = (values: Values, { clock }: Pick<AppContext, 'clock'>): string =>
  `${values.add(new Date(clock()))}::timestamptz`

export type UserPage = { users: ShownUser[]; has_more: boolean; total: number }

export async function findUsers(ctx: Db, query: UsersQuery): Promise<UserPage> {
  const values = new Values()
  const now = nowIn(values, ctx)
  const where = conditions(query, values)
  const sort = query.sort ?? 'name'
  const list: List = {
    table: 'users',
    alias: 'u',
    order: { from, key: sortKeys[sort.replace('-', '') as keyof typeof sortKeys], id: 'u.id', isWhole: true },
    isDescending: sort.startsWith('-'),
    where,
    columns: columns(now),
    joins: 'join roles r on r.id = u.role_id',
    total: `(select count(*) from ${from} ${where.length > 0 ? `where ${where.join(' and ')}` : ''})`,
    values,
    isPrepared: false,
  }
  return JSON.parse(await readPage(ctx.pool, 'users', list, query)) as UserPage
}

export async function findUser(ctx: Db, id: string): Promise<ShownUser | undefined> {
  const values = new Values()
  const now = nowIn(values, ctx)
  const text = `select row_to_json(x) as shown from (select ${columns(now)} from ${from} where u.id = ${values.add(id)}) x`
  const [row] = await runStatement<{ shown: ShownUser }>(ctx.pool, { text, values: values.list })
  return row?.shown
}

export type UserSummary = { total: number; active: number; roles: number; online: number }

/** Online counts people once, however many sessions they have, and the admin key, which is nobody, by its sessions. */
export async function summarizeUsers(ctx: Db): Promise<UserSummary> {
  const values = new Values()
  const now = nowIn(values, ctx)
  const text = `select (select count(*) from users) as total, (select count(*) from users where is_active) as active,
    (select count(*) from roles) as roles,
    (select count(distinct case actor_type when 'user' then actor_id else id end) from sessions s where ${isOnline('s', now)}) as online`
  const [row] = await runStatement<UserSummary>(ctx.pool, { text, values: values.list })
  return row ?? { total: 0, active: 0, roles: 0, online: 0 }
}
