import { Redirect } from 'wouter';

/** Administrators begin at the nodes: theirs is what runs. */
export default function StartPage() {
  return <Redirect to="/nodes" replace />;
}
