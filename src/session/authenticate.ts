/** Login interface of the entrances: which credential a name needs, throttling after failures, and the principal of a proof. */
import type { LoginChallenge, LoginIdentity } from '../identity/login-challenge.ts';
import type { Principal } from './principal.ts';

export interface Logins {
  /** 28P01 while the address waits after too many failures. */
  admit(address: string): void;
  challenge(user: string): Promise<LoginChallenge>;
  failed(address: string): void;
  /** 28P01 if it has been dropped meanwhile, 28000 if it may not log in. */
  principal(who: LoginIdentity): Principal;
}
