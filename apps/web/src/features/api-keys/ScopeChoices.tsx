import type { ApiKeyScope } from '@agency/contract/types'
import { useSessionState } from '../../lib/session.ts'
import { isFree, scopeName, scopes, scopeTexts } from './api-key-words.ts'
import css from './api-keys.module.css'

type Props = {
  value: readonly ApiKeyScope[]
  onChange: (chosen: ApiKeyScope[]) => void
  problem: string | undefined
}

/** What the key may do: nobody gives away what they do not hold. */
export function ScopeChoices({ value: chosen, onChange, problem }: Props) {
  const { actor } = useSessionState()
  const toggle = (scope: ApiKeyScope, on: boolean) =>
    onChange(scopes.filter((each) => (each === scope ? on : chosen.includes(each))))
  return (
    <fieldset className={css['scopes']}>
      <legend>Permissions</legend>
      {scopes.map((scope) => {
        const held = isFree(scope) || (actor.permissions as readonly string[]).includes(scope)
        return (
          <label key={scope} className={css['scope']} data-held={held}>
            <input
              type="checkbox"
              checked={chosen.includes(scope)}
              disabled={!held}
              onChange={(event) => toggle(scope, event.target.checked)}
            />
            <span>
              {scopeName(scope)} <code className={css['code']}>{scope}</code>
              <span className={css['muted']}>{held ? scopeTexts[scope] : 'You do not have this permission'}</span>
            </span>
          </label>
        )
      })}
      {problem ? (
        <p role="alert" className={css['problem']}>
          {problem}
        </p>
      ) : null}
    </fieldset>
  )
}
