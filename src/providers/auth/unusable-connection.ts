/** A registration that can not work as it is. Its message is for the operator: names of variables, never their values. */
export class UnusableConnection extends Error {
  override readonly name = 'UnusableConnection';
}
