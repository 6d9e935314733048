/** What entrances ask about logins: what a name must prove, who waits after failures, and whom a proof is of. */
import type { LoginChallenge, LoginIdentity } from '../identity/login-challenge.ts';
import type { Principal } from './principal.ts';

export interface Logins {
  /** 28P01 while the address waits after too many failures. */
  admit(address: string): void;
  challenge(user: string): Promise<LoginChallenge>;
  failed(address: string): void;
  /** 28P01 where it is gone meanwhile, 28000 where it may not log in. */
  principal(who: LoginIdentity): Principal;
}
