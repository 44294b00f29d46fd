import * as deployments from '@agency/contract/descriptors/deployments'
import type { DeploymentDetails } from '@agency/contract/types'
import { useState } from 'react'
import { send } from '../../../lib/api.ts'
import { copyText } from '../../../lib/clipboard.ts'
import { download } from '../../../lib/download.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { useToast } from '../../../ui/Toast.tsx'
import { LogViewer } from './LogViewer.tsx'
import css from './log.module.css'
import { useDeploymentLog } from './use-deployment-log.ts'

type Props = {
  deployment: Pick<DeploymentDetails, 'id' | 'status' | 'site_name' | 'is_log_complete'>
  line: number | null
  /** The address of a line, without its number at the end. */
  address: string
  onLine: (line: number) => void
}

export function DeploymentLog({ deployment, line, address, onLine }: Props) {
  const { log, find, isInterrupted } = useDeploymentLog(deployment.id)
  return (
    <>
      <LogViewer
        label={`Log of ${deployment.site_name}`}
        log={log}
        find={find}
        isLive={!deployment.is_log_complete}
        line={line}
        address={address}
        onLine={onLine}
        actions={<LogActions id={deployment.id} line={line} address={address} />}
        empty={<EmptyState compact text={emptyTexts[deployment.status]} />}
      />
      {isInterrupted ? (
        <p className={css['notice']} role="status">
          Live log interrupted, reconnecting. No lines are lost.
        </p>
      ) : null}
    </>
  )
}

const emptyTexts: Record<DeploymentDetails['status'], string> = {
  queued: 'The log starts with the build.',
  building: 'No output yet.',
  deploying: 'No output.',
  success: 'No log.',
  failed: 'No log.',
  cancelled: 'No log.',
}

function LogActions({ id, line, address }: { id: string; line: number | null; address: string }) {
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  const input = { params: { id } }
  const run = async (act: () => Promise<string | null>, failure: string) => {
    setBusy(true)
    try {
      const done = await act()
      if (done) toast.success(done)
    } catch (error) {
      toast.error(failure, error as Error)
    } finally {
      setBusy(false)
    }
  }
  const copyLog = async () => {
    const response = await send(deployments.downloadDeploymentLog, input)
    if (!(await copyText(await response.text()))) throw new Error('The browser refused. Download the log instead.')
    return 'Log copied'
  }
  const copyLink = async () => {
    const { origin, pathname } = window.location
    if (!(await copyText(`${origin}${pathname}${address}${line}`))) throw new Error('The browser refused.')
    return `Link to line ${line} copied`
  }
  const save = async () => {
    await download(deployments.downloadDeploymentLog, input, `${id}.txt`)
    return null
  }
  return (
    <>
      {line === null ? null : (
        <button
          type="button"
          className={css['toggle']}
          onClick={() => void run(copyLink, 'The link could not be copied.')}
        >
          Copy link to line {line}
        </button>
      )}
      <IconButton label="Copy log" disabled={busy} onClick={() => void run(copyLog, 'The log could not be copied.')}>
        <Icon name="copy" />
      </IconButton>
      <IconButton
        label="Download log"
        disabled={busy}
        onClick={() => void run(save, 'The log could not be downloaded.')}
      >
        <Icon name="download" />
      </IconButton>
    </>
  )
}
