import { paths } from '../../lib/paths.ts'
import { ErrorPanel } from '../../ui/ErrorPanel.tsx'
import css from './schedules.module.css'

/** What mails need and is not set. */
export function MailHint({ hasMailServer, hasAddress }: { hasMailServer: boolean; hasAddress: boolean }) {
  if (hasMailServer && hasAddress) return null
  return (
    <div className={css['warning']}>
      <ErrorPanel tone="warning">
        {hasMailServer ? (
          <>
            Reports have no links, not even to unsubscribe. Set{' '}
            <a href={paths.config}>"Address of this console" under System Config</a>.
          </>
        ) : (
          <>
            No mail server, so nothing is sent. Set <a href={paths.config}>"Mail server" under System Config</a> first.
          </>
        )}
      </ErrorPanel>
    </div>
  )
}
