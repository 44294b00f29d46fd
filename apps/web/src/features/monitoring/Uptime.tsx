import { formatUptime } from './measure.ts'
import css from './monitoring.module.css'

export function Uptime({ percent }: { percent: number | null }) {
  if (percent !== null) return formatUptime(percent)
  return (
    <span className={css['muted']} title="Unknown">
      —
    </span>
  )
}
