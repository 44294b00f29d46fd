import * as sites from '@agency/contract/descriptors/sites'
import { paths } from '../../lib/paths.ts'
import { useDenial } from '../../lib/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ReasonedButton } from '../../ui/ReasonedButton.tsx'
import css from './customers.module.css'

type Props = {
  /** Why no subscription can be started, or undefined. */
  blocked: string | undefined
  onSubscribe: () => void
}

/** What usually comes after a customer was added. */
export function NextSteps({ blocked, onSubscribe }: Props) {
  const denial = useDenial(sites.createSite)
  return (
    <section className={css['next']} aria-label="Next steps">
      <p>Customer added. Next:</p>
      <ReasonedButton size="small" variant="outlined" aria-haspopup="dialog" blocked={blocked} onClick={onSubscribe}>
        New Subscription
      </ReasonedButton>
      {denial ? null : (
        <Button size="small" variant="outlined" href={paths.newSite('')}>
          Add Site
        </Button>
      )}
    </section>
  )
}
