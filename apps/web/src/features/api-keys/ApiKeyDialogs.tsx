import type { ApiKey } from '@agency/contract/types'
import { EditKeyDialog } from './EditKeyDialog.tsx'
import { GenerateKeyDialog } from './GenerateKeyDialog.tsx'
import { RevokeKeyDialog } from './RevokeKeyDialog.tsx'
import { RollKeyDialog } from './RollKeyDialog.tsx'

export type Act = { kind: 'generate' } | { kind: 'roll' | 'edit' | 'revoke'; key: ApiKey }

export function ApiKeyDialogs({ act, onClose }: { act: Act; onClose: () => void }) {
  switch (act.kind) {
    case 'generate':
      return <GenerateKeyDialog onClose={onClose} />
    case 'roll':
      return <RollKeyDialog apiKey={act.key} onClose={onClose} />
    case 'edit':
      return <EditKeyDialog apiKey={act.key} onClose={onClose} />
    case 'revoke':
      return <RevokeKeyDialog apiKey={act.key} onClose={onClose} />
  }
}
