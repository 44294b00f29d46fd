import * as deployments from '@agency/contract/descriptors/deployments'
import type { DeploymentDetails } from '@agency/contract/types'
import { isOpenDeployment } from '../../lib/deployment-status.ts'
import { providerLink } from '../../lib/provider-link.ts'
import { useDenial, useSessionState } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import type { Act } from './row-actions.ts'

type Props = { deployment: DeploymentDetails; onAct: (act: Act) => void }

/** What can be done now; what cannot says why. */
export function DetailsActions({ deployment, onAct }: Props) {
  const denial = useDenial(deployments.retryDeployment)
  const page = providerLink(deployment.provider_page, useSessionState().mode)
  const button = (kind: Act['kind'], label: string, destructive = false) => (
    <ReasonedButton
      variant="outlined"
      color={destructive ? 'error' : 'primary'}
      blocked={denial ?? deployment.can[kind]}
      onClick={() => onAct({ kind, deployment })}
    >
      {label}
    </ReasonedButton>
  )
  return (
    <>
      {page ? (
        <Button href={page} external endIcon={<Icon name="openInNew" />}>
          Open at Cloudflare
        </Button>
      ) : null}
      {isOpenDeployment(deployment.status) ? (
        button('cancel', 'Cancel deployment', true)
      ) : (
        <>
          {button('retry', 'Retry')}
          {button('rollback', 'Roll back to this version')}
        </>
      )}
    </>
  )
}
