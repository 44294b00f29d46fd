import { paths } from '../../lib/paths.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import css from './schedules.module.css'

export function NoMailServer() {
  return (
    <div className={css['warning']}>
      <ErrorPanel tone="warning">
        No mail server, so nothing is sent. Set <a href={paths.config}>"Mail server" under System Config</a> first.
      </ErrorPanel>
    </div>
  )
}
