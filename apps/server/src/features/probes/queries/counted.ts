import { sql } from 'kysely'

/** What a look says of the time after it, for every figure: a false alarm says nothing, neither up nor down. */
export const countedHealth = sql`case when t.health in ('down', 'degraded') and not t.in_maintenance
    and is_false_alarm(t.site_id, t.at) then 'unknown' else t.health end`
