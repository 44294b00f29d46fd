import { sql } from 'kysely'

/**
 * What a look says of the time after it, for every figure: a false alarm says nothing, neither up nor down. Whether there was
 * any at all is asked once; of each look it would take longer than all the rest.
 */
export const countedHealth = sql`case when t.health in ('down', 'degraded') and not t.in_maintenance
    and (select exists (select from incidents where is_false_positive))
    and is_false_alarm(t.site_id, t.at) then 'unknown' else t.health end`
