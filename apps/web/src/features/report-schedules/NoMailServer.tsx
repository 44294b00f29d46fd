import { paths } from '../../lib/paths.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import css from './schedules.module.css'

export function NoMailServer() {
  return (
    <div className={css['warning']}>
      <ErrorPanel tone="warning">
        Nothing is sent: there is no mail server. Set it under <a href={paths.config}>System Config</a>.
      </ErrorPanel>
    </div>
  )
}
